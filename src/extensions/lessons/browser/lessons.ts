import { copyText } from '../../../dashboard/browser/copy.ts';
import { enhance, refreshParts, throttle } from '../../../dashboard/browser/page.ts';

const refreshMilliseconds = 300;
const pollMilliseconds = 3000;

/** Updates the states of the tasks while the learner works elsewhere, such as in a terminal or in their own app. */
const { lessonIssuer, lessonPolled } = document.querySelector<HTMLElement>('[data-lesson-issuer]')?.dataset ?? {};
if (lessonIssuer !== undefined) {
  const parts = () => document.querySelectorAll('[data-lesson-live]');
  const refresh = throttle(() => refreshParts(parts()), refreshMilliseconds);
  const poll = () => setInterval(() => document.hidden || refresh(), pollMilliseconds);
  if (lessonPolled === undefined) follow(new URL(lessonIssuer).pathname, refresh, poll);
  else poll();
}

/** Calls `changed` after each event of the issuer at this path, and `refused` if this page may not read the stream. */
function follow(path: string, changed: () => void, refused: () => void): void {
  const types = [
    'request.completed',
    'clock.changed',
    'api.probed',
    'response.held',
    'response.continued',
    'trainer.acted',
  ];
  // the page may have been opened by a host name that differs from the issuer's
  const stream = new EventSource(`${path}/_sandbox/events/stream?type=${types.join()}`);
  // also after opening, because a request may have come between the page and its stream
  for (const type of ['open', ...types]) stream.addEventListener(type, changed);
  stream.addEventListener('error', () => stream.readyState === EventSource.CLOSED && refused());
}

/** Adds a copy button to each command. */
enhance(part => {
  for (const code of part.querySelectorAll<HTMLElement>('.lesson-tasks pre.code')) addCopyButton(code);
});

function addCopyButton(code: HTMLElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button small lesson-copy';
  button.dataset.testid = 'lesson-copy';
  const about = document.createElement('span');
  about.className = 'vh';
  about.textContent = ' these lines';
  button.append('Copy', about);
  button.addEventListener('click', () => void copyText(button, code.textContent ?? '', code));
  code.after(button);
}
