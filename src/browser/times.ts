import { left } from './left.ts';

/** How far this clock is from the sandbox's, in seconds: a page is dated by the server that made it. */
const offset = Number(document.body.dataset.now ?? 0) - Date.now() / 1000;

function sandboxNow(): number {
  return Date.now() / 1000 + offset;
}

/** Lets the "4 min left" of the page run down, each second and only while somebody looks. */
export function startTimes(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') tick();
  }, 1000);
}

function tick(): void {
  const now = sandboxNow();
  for (const element of document.querySelectorAll<HTMLElement>('[data-exp]')) {
    const seconds = Number(element.dataset.exp) - now;
    const words = seconds > 0 ? left(seconds, Number(element.dataset.parts ?? 1)) : 'expired';
    if (element.textContent !== words) element.textContent = words;
    progressOf(element)?.setAttribute('value', String(Math.max(0, Math.floor(seconds))));
    if (seconds <= 0) expire(element);
  }
}

function progressOf(element: HTMLElement): HTMLProgressElement | null | undefined {
  return element.closest('tr, .lifetime')?.querySelector('progress');
}

function expire(element: HTMLElement): void {
  delete element.dataset.exp;
  for (const status of [element, ...document.querySelectorAll<HTMLElement>('[data-state]')]) {
    status.textContent = 'expired';
    status.classList.replace('valid', 'expired');
  }
}
