import { type FeedConnection, onConnection } from './feed.ts';
import { askSandbox, type SandboxAnswer } from './page.ts';

const words: Readonly<Record<Exclude<SandboxAnswer, 'ready'>, string>> = {
  away: 'Not sent: the sandbox does not answer. This page stays as you left it: press again once the sandbox runs.',
  'signed-out':
    'Not sent: you are signed out. This page stays as you left it: sign in in another tab, then press again.',
};

/** The stream tells when the sandbox may not answer. Until then a form is submitted normally. */
export function keepDashboardForms(): void {
  let connection: FeedConnection | undefined;
  onConnection(now => {
    connection = now;
  });
  const isInDoubt = () => connection !== undefined && connection !== 'live';
  holdForms(isInDoubt, () => askSandbox());
}

/** For pages without a stream: each form with input or a decision checks the connection first. */
export function keepLoginForms(): void {
  holdForms(
    form => form.querySelector('input:not([type=hidden]), textarea, [name=decision]') !== null,
    () => askSandbox('/health'),
  );
}

/**
 * Submits a form only if the sandbox answers. Otherwise the error page of the browser would replace the page and lose the
 * input.
 */
function holdForms(isInDoubt: (form: HTMLFormElement) => boolean, ask: () => Promise<SandboxAnswer>): void {
  let state: 'idle' | 'asking' | 'sending' = 'idle';
  document.addEventListener('submit', async event => {
    const { target: form, submitter } = event;
    if (state === 'sending' || event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    if (form.method === 'dialog' || (state === 'idle' && !isInDoubt(form))) return;
    event.preventDefault();
    if (state === 'asking') return;
    state = 'asking';
    const line = lineOf(form, submitter);
    line.textContent = '';
    const answer = await ask();
    state = 'sending';
    if (answer === 'ready') form.requestSubmit(submitter);
    else line.textContent = (answer === 'away' && document.body.dataset.away) || words[answer];
    state = 'idle';
  });
}

/** A live region must exist before its text is set, or screen readers do not announce the text. */
function lineOf(form: HTMLFormElement, button: HTMLElement | null): HTMLElement {
  const old = form.querySelector<HTMLElement>('[data-not-sent]');
  if (old !== null) return old;
  const line = document.createElement('p');
  line.setAttribute('role', 'status');
  line.dataset.notSent = '';
  line.className = 'hint';
  const beside = button?.closest('.field-row, .choices, p') ?? button;
  if (beside === null || beside === form) form.append(line);
  else beside.after(line);
  return line;
}
