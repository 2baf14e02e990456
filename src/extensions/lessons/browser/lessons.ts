import { copyText } from '../../../dashboard/browser/copy.ts';
import { enhance, fetchPage, refreshParts, showPart, throttle } from '../../../dashboard/browser/page.ts';

const refreshMilliseconds = 300;
const pollMilliseconds = 3000;
const formKey = 'grantbox.lesson-form';
/** Boxes whose text is on its way. A command waits for them. */
let filling: Promise<unknown> = Promise.resolve();

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
  let stream: EventSource | undefined;
  const open = () => {
    stream?.close();
    // a browser opens six connections to a server: lessons in other tabs leave them to this one
    if (document.hidden) return;
    // the page may have been opened by a host name that differs from the issuer's
    const opened = new EventSource(`${path}/_sandbox/events/stream?type=${types.join()}`);
    // also after opening, because a request may have come between the page and its stream
    for (const type of ['open', ...types]) opened.addEventListener(type, changed);
    opened.addEventListener('error', () => opened.readyState === EventSource.CLOSED && refused());
    stream = opened;
  };
  document.addEventListener('visibilitychange', open);
  open();
}

/** The picture can be gone through message by message. */
enhance(part => {
  for (const play of part.querySelectorAll<HTMLElement>('.picture-play')) play.hidden = false;
});

document.addEventListener('click', ({ target }) => {
  const play = target instanceof HTMLElement ? target.closest('.picture-play') : null;
  if (play === null || !(target instanceof HTMLButtonElement)) return;
  const steps = [...(play.closest('.picture')?.querySelectorAll('li') ?? [])];
  const at = steps.findIndex(step => step.classList.contains('now')) + 1;
  for (const [index, step] of steps.entries()) step.classList.toggle('now', index === at);
  const said = play.querySelector('[role="status"]');
  if (said !== null) said.textContent = steps[at] === undefined ? '' : `${at + 1} of ${steps.length}`;
});

/** Adds a copy button to each command, and shows the form of the commands that the learner chose last. */
enhance(part => {
  for (const code of part.querySelectorAll<HTMLElement>('.lesson-tasks pre.code')) addCopyButton(code);
  chooseForm(localStorage.getItem(formKey) ?? (navigator.userAgent.includes('Windows') ? 'powershell' : ''), part);
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
  const { missing, field } = code.closest<HTMLElement>('[data-missing]')?.dataset ?? {};
  if (missing === undefined)
    button.addEventListener('click', () => void copyText(button, code.textContent ?? '', code));
  else button.addEventListener('click', () => sayMissing(button, missing, field));
  code.after(button);
}

/** A command with a blank does nothing good in a shell, so it is not copied. A redrawn command keeps what stands below it. */
function sayMissing(button: HTMLElement, missing: string, field = ''): void {
  clearMissing();
  const said = document.createElement('p');
  said.className = 'field-problem lesson-missing';
  said.setAttribute('role', 'alert');
  said.textContent = `Not copied. Missing: ${missing}.`;
  button.closest('.lesson-command')?.after(said);
  document.getElementById(field)?.focus();
}

function clearMissing(): void {
  for (const said of document.querySelectorAll('.lesson-missing')) said.remove();
}

document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.closest('.lesson-forms .tabs') !== null) {
    localStorage.setItem(formKey, target.value);
    chooseForm(target.value, document);
  }
  if (target instanceof HTMLTextAreaElement && isSentHere(target.form)) void send(target.form);
});

document.addEventListener('submit', event => {
  if (!isSentHere(event.target)) return;
  event.preventDefault();
  void send(event.target, event.submitter);
});

function isSentHere(form: EventTarget | null): form is HTMLFormElement {
  return form instanceof HTMLFormElement && form.dataset.lessonForm !== undefined;
}

function chooseForm(form: string, part: ParentNode): void {
  for (const choice of part.querySelectorAll<HTMLInputElement>('.lesson-forms .tabs input')) {
    if (choice.value === form) choice.checked = true;
  }
}

/** Sends the form of a box or of a command, and shows what it changed without leaving the page. */
function send(form: HTMLFormElement, submitter: HTMLElement | null = null): Promise<void> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) body.append(name, String(value));
  const sent = filling.then(async () => {
    const page = await fetchPage(form.action, { method: 'POST', body });
    if (page === undefined) return location.reload();
    clearMissing();
    for (const part of document.querySelectorAll('[data-lesson-live]')) showPart(part, page);
  });
  filling = sent.catch(() => {});
  return sent;
}
