import { throttle } from './throttle.ts';

const refreshMilliseconds = 1000;

/** Refreshes the board when the stream of the room reports an event. */
const { stream } = document.body.dataset;
if (stream !== undefined) {
  const refresh = throttle(async () => {
    const response = await fetch(location.href);
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-room-live]')) {
      const now = page.getElementById(part.id)?.innerHTML ?? part.innerHTML;
      if (now !== part.innerHTML) part.innerHTML = now;
    }
  }, refreshMilliseconds);
  const source = new EventSource(stream);
  // also after opening, because an event may have come between the page and its stream
  for (const type of ['open', 'board']) source.addEventListener(type, refresh);
}
