import { refreshParts } from '../../../dashboard/browser/page.ts';

const askMilliseconds = 3000;

/** Keeps the lines of the trainer true on a page of a seat. It asks, because browsers open six streams at the most. */
const part = document.querySelector<HTMLElement>('[data-notices]');
if (part !== null) {
  const { notices = '' } = part.dataset;
  let { told } = part.dataset;
  setInterval(async () => {
    if (document.hidden) return;
    const response = await fetch(notices, { cache: 'no-store' }).catch(() => undefined);
    if (response?.ok !== true) return; // a restart, or the page is open at the trainer's
    const now = await response.text();
    if (now !== told) await refreshParts([part]);
    told = now;
  }, askMilliseconds);
}
