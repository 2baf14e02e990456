import { refreshParts, throttle } from '../../../dashboard/browser/page.ts';

const refreshMilliseconds = 1000;

/** Refreshes the board when the stream of the room reports an event. */
const { stream } = document.body.dataset;
if (stream !== undefined) {
  const parts = () => document.querySelectorAll('[data-room-live]');
  const refresh = throttle(() => refreshParts(parts()), refreshMilliseconds);
  const source = new EventSource(stream);
  // also after opening, because an event may have come between the page and its stream
  for (const type of ['open', 'board']) source.addEventListener(type, refresh);
}
