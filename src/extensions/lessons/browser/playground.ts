import { copyText } from '../../../dashboard/browser/copy.ts';
import { fetchPage, showPart, untilReleased } from '../../../dashboard/browser/page.ts';

const form = document.querySelector<HTMLFormElement>('#play-request');
if (form !== null) {
  let kept = Promise.resolve();
  form.addEventListener('change', () => {
    kept = kept.then(() => keep(form)).catch(() => {}); // a lost connection, which the shell shows
  });
  form.addEventListener('focusin', ({ target }) => void explain(form, target));
  showCopyButton(() => kept);
}
chooseAppByItsAddress();

/** Keeps what was typed, and shows what depends on it: the command, the address of the state, and what was changed. */
async function keep({ action, elements }: HTMLFormElement): Promise<void> {
  const body = new URLSearchParams({ keep: '1' });
  const fields = [...elements].filter(element => element instanceof HTMLInputElement);
  for (const { name, value } of fields) body.set(name, value);
  const page = await fetchPage(action, { method: 'POST', body });
  if (page === undefined) return;
  for (const field of fields) {
    const [, key] = /^was\.(.*)/.exec(field.name) ?? [];
    if (key !== undefined) field.value = body.get(`value.${key}`) ?? field.value;
  }
  for (const part of document.querySelectorAll('[data-play-part]')) {
    await untilReleased(part);
    showPart(part, page);
  }
}

/** Opens the explanation of the parameter with the focus. The one before closes after the click, so that nothing moves under it. */
async function explain(fields: HTMLElement, target: EventTarget | null): Promise<void> {
  if (!(target instanceof HTMLInputElement)) return;
  const own = target.closest('.play-field')?.querySelector('details');
  own?.setAttribute('open', '');
  await untilReleased(document.documentElement);
  if (document.activeElement !== target) return;
  for (const other of fields.querySelectorAll('.play-field details')) if (other !== own) other.removeAttribute('open');
}

/** A copy must have the change that is being kept. */
function showCopyButton(kept: () => Promise<void>): void {
  const button = document.querySelector<HTMLButtonElement>('button[data-play-copy]');
  if (button === null) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await kept();
    const command = document.getElementById(button.dataset.playCopy ?? '');
    if (command !== null) await copyText(button, command.textContent ?? '', command);
  });
}

/** Typing the address of an app chooses the app, because the response is then wanted there. */
function chooseAppByItsAddress(): void {
  const app = document.querySelector<HTMLInputElement>('input[name="answer-to"][value="app"]');
  document.querySelector('input[name="redirect"]')?.addEventListener('input', () => {
    if (app !== null) app.checked = true;
  });
}
