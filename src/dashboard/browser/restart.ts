import { onRestart, tellFeed } from './feed.ts';

/** Set while a page reloads, so that the new page can tell the reason. */
const mark = 'grantbox-restarted';

/** After a restart of the sandbox, announces it and reloads the page, unless the reload would lose input. */
export function startRestart(): void {
  const bar = document.getElementById('restarted');
  if (bar === null) return;
  if (sessionStorage.getItem(mark) !== null) {
    sessionStorage.removeItem(mark);
    show(bar);
  }
  onRestart(isSure => {
    if (isSure && mayReload()) {
      sessionStorage.setItem(mark, '1');
      location.reload();
      return;
    }
    const stale = bar.querySelector('span');
    if (stale !== null) stale.hidden = isAnswer();
    show(bar);
    tellFeed({ kind: 'reset', id: 0, data: {} }); // for parts that can refresh by themselves
  });
}

/** True for the answer to a form, because a reload would send the form again. */
function isAnswer(): boolean {
  return document.body.dataset.answer !== undefined;
}

function mayReload(): boolean {
  const isPaused = document.querySelector('#pause[aria-pressed=true]') !== null;
  return !isAnswer() && !isPaused && !isAnythingTyped();
}

function show(bar: HTMLElement): void {
  bar.hidden = false;
  const line = document.getElementById('announce');
  if (line !== null) line.textContent = bar.innerText;
}

/** Tells whether a form of the page has input that was not sent. */
export function isAnythingTyped(): boolean {
  return [...document.forms].some(form => [...form.elements].some(isChanged));
}

function isChanged(field: Element): boolean {
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  if (field instanceof HTMLSelectElement) return field.selectedIndex !== defaultIndex(field);
  if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false;
  const isTicked = field.type === 'checkbox' || field.type === 'radio';
  return isTicked ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

function defaultIndex({ options }: HTMLSelectElement): number {
  return Math.max(
    0,
    [...options].findIndex(option => option.defaultSelected),
  );
}
