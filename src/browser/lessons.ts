import { throttle } from './throttle.ts';

const refreshMilliseconds = 300;

/** Keeps the states of the tasks up to date while the learner works elsewhere: in a terminal, or in their own application. */
const { lessonIssuer } = document.querySelector<HTMLElement>('[data-lesson-issuer]')?.dataset ?? {};
if (lessonIssuer !== undefined) {
  const refresh = throttle(async () => {
    const response = await fetch(location.href);
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-lesson-live]')) {
      const now = page.getElementById(part.id)?.innerHTML ?? part.innerHTML;
      if (now !== part.innerHTML) part.innerHTML = now;
    }
  }, refreshMilliseconds);
  const types = ['request.completed', 'clock.changed'];
  // the page may be read by a name of the sandbox that is not that of the issuer
  const stream = new EventSource(`${new URL(lessonIssuer).pathname}/_sandbox/events/stream?type=${types.join()}`);
  // also once it is open: a request may have come between the page and its stream
  for (const type of ['open', ...types]) stream.addEventListener(type, refresh);
}
