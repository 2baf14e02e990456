type Enhancement = (part: ParentNode) => void;

const enhancements: Enhancement[] = [];
/** The HTML that each part was drawn with, because scripts change the elements afterwards. */
const drawn = new WeakMap<Element, string>();

/** Adds what scripts add to a page, such as copy buttons: at once, and to each part that is redrawn. */
export function enhance(enhancement: Enhancement): void {
  enhancements.push(enhancement);
  enhancement(document);
}

/** Adds it to a part that was just put into the page. */
export function enhancePart(part: ParentNode): void {
  for (const enhancement of enhancements) enhancement(part);
}

/** Replaces the contents of a part if they differ. The focus stays where it is, and what was opened stays open. */
export function redraw(part: Element, html: string): void {
  if (html === (drawn.get(part) ?? part.innerHTML)) return;
  const focused = placeOf(part, document.activeElement);
  const opened = [...part.querySelectorAll('details[open]')].map(details => placeOf(part, details));
  part.innerHTML = html;
  drawn.set(part, html);
  for (const find of opened) find()?.setAttribute('open', '');
  enhancePart(part);
  focused()?.focus({ preventScroll: true });
}

const names = ['id', 'data-testid', 'data-copy', 'name', 'href'] as const;

/** Finds the element of a part again after the part was redrawn: by its name, or by that of the element around it. */
function placeOf(part: Element, element: Element | null): () => HTMLElement | undefined {
  if (element === null || element === part || !part.contains(element)) return () => undefined;
  const named = element.closest(names.map(name => `[${name}]`).join());
  const around = named === null || named === part || !part.contains(named) ? '' : selectorOf(named);
  const selector = named === element ? around : `${around} ${element.localName}`;
  const at = [...part.querySelectorAll(selector)].indexOf(element);
  return () => part.querySelectorAll<HTMLElement>(selector)[at];
}

function selectorOf(element: Element): string {
  const name = names.find(each => element.hasAttribute(each)) ?? 'id';
  return `[${name}="${CSS.escape(element.getAttribute(name) ?? '')}"]`;
}
