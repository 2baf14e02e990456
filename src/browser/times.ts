import { ago, left } from './left.ts';

/** How far this clock is from the sandbox's, in seconds: a page is dated by the server that made it. */
const offset = Number(document.body.dataset.now ?? 0) - Date.now() / 1000;

function sandboxNow(): number {
  return Date.now() / 1000 + offset;
}

/** Lets the "4 min left" and "4 min ago" of the page go on, each second and only while somebody looks. */
export function startTimes(): void {
  if (document.body.dataset.frozen !== undefined) return; // nothing goes on there
  setInterval(() => {
    if (document.visibilityState === 'visible') tick();
  }, 1000);
}

function tick(): void {
  const now = sandboxNow();
  for (const element of shownTimes()) {
    const seconds = Number(element.dataset.exp) - now;
    const words = seconds > 0 ? left(seconds, Number(element.dataset.parts ?? 1)) : 'expired';
    if (element.textContent !== words) element.textContent = words;
    progressOf(element)?.setAttribute('value', String(Math.max(0, Math.floor(seconds))));
    if (seconds <= 0) expire(element);
  }
  for (const element of document.querySelectorAll<HTMLElement>('time[data-at]')) {
    const words = ago(now - Number(element.dataset.at));
    if (element.textContent !== words) element.textContent = words;
  }
}

/**
 * Of a long list only what is not skipped by `content-visibility`: to touch ten thousand rows would cost a tenth of each second, and
 * their layout again when they come in sight. A row is asked, because who skips its contents is not skipped itself.
 */
function shownTimes(): HTMLElement[] {
  const shown = [...document.querySelectorAll('tbody')].filter(({ rows }) =>
    rows[0]?.checkVisibility({ contentVisibilityAuto: true }),
  );
  const inRows = shown.flatMap(rows => [...rows.querySelectorAll<HTMLElement>('[data-exp]')]);
  return [...inRows, ...document.querySelectorAll<HTMLElement>('[data-exp]:not(tbody *)')];
}

function progressOf(element: HTMLElement): HTMLProgressElement | null | undefined {
  return element.closest('tr, .lifetime')?.querySelector('progress');
}

function expire(element: HTMLElement): void {
  delete element.dataset.exp;
  const others = element.closest('tr') === null ? document.querySelectorAll<HTMLElement>('[data-state]') : [];
  for (const status of [element, ...others]) {
    status.textContent = 'expired';
    status.classList.replace('valid', 'expired');
  }
}
