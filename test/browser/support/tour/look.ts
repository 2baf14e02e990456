import type { Page } from 'playwright-core';

/** The visible buttons that are filled with the colour of the main button. A page has one at most, so that people see it at once. */
export function mainButtons(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const probe = document.createElement('i');
    probe.style.background = 'var(--first)';
    document.body.append(probe);
    const main = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll('a, button, summary')]
      .filter(button => {
        const { backgroundColor, borderTopColor } = getComputedStyle(button);
        return button.checkVisibility() && backgroundColor === main && borderTopColor === main;
      })
      .map(button => button.textContent?.trim() ?? '');
  });
}

/** Elements that cut their text off without an ellipsis, or without a title that says all of it. */
export function cutValues(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isForScreenReaders = (element: Element) => element.closest('.vh') !== null || element.clientWidth < 2;
    const isCut = (element: Element, { overflowX, overflowY, webkitLineClamp }: CSSStyleDeclaration) =>
      (/hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
      (/hidden|clip/.test(overflowY) &&
        (webkitLineClamp !== 'none' || element.childElementCount === 0) &&
        element.scrollHeight > element.clientHeight + 3);
    const hasEllipsis = ({ textOverflow, webkitLineClamp }: CSSStyleDeclaration) =>
      textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
    const hasTitle = (element: Element) =>
      element.closest('[title]') !== null || element.querySelector('[title]') !== null;
    // a raw token is cut on purpose: `Show all` is beside it
    return [...document.body.querySelectorAll('*:not(svg, svg *, input, select, textarea, .raw-token *)')].flatMap(
      element => {
        if (!element.checkVisibility() || isForScreenReaders(element)) return [];
        const style = getComputedStyle(element);
        if (!isCut(element, style) || (hasEllipsis(style) && hasTitle(element))) return [];
        return [
          `cut, ${hasEllipsis(style) ? 'without a title' : 'without an ellipsis'}: ${element.outerHTML.slice(0, 160)}`,
        ];
      },
    );
  });
}
