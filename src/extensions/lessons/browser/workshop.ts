import { enhance, refreshParts, throttle } from '../../../dashboard/browser/page.ts';

const refreshMilliseconds = 1000;
const minuteMilliseconds = 60_000;

/** Refreshes the board when the stream of the room reports an event, and each minute, because it says how long somebody waits. */
const { stream } = document.body.dataset;
if (stream !== undefined) {
  const parts = () => document.querySelectorAll('[data-room-live]');
  const refresh = throttle(() => refreshParts(parts()), refreshMilliseconds);
  const source = new EventSource(stream);
  // also after opening, because an event may have come between the page and its stream
  for (const type of ['open', 'board']) source.addEventListener(type, refresh);
  setInterval(refresh, minuteMilliseconds);
}

/** Shows a lesson as soon as it is chosen. */
enhance(part => {
  const select = part.querySelector<HTMLSelectElement>('#lesson');
  select?.form?.querySelector('button')?.remove();
  select?.addEventListener('change', () => select.form?.submit());
});
