import { redraw, throttle, untilReleased } from './page.ts';

const quietMilliseconds = 300;

/** Refreshes the token preview of a user while somebody types claims or chooses a client. Without scripts a button does it. */
export function startTokenPreview(): void {
  const target = document.getElementById('user-preview');
  const choice = document.querySelector<HTMLFormElement>('#preview-form');
  if (target === null || choice === null) return;
  const form = document.querySelector<HTMLFormElement>('#user-form');
  const status = document.getElementById('preview-status');
  const show = throttle(async () => {
    const fields = new URLSearchParams([
      ...entriesOf(choice),
      ...entriesOf(form).filter(([name]) => name !== 'client' && name !== 'scope'),
    ]);
    const address = target.dataset.preview ?? '';
    // a read-only page has no form
    const answer = await (form === null
      ? fetch(`${address}?${fields}`)
      : fetch(address, { method: 'POST', body: fields }));
    if (!answer.ok) return;
    const now = await answer.text();
    await untilReleased(target);
    const open = openParts(target);
    redraw(target, now);
    for (const part of target.querySelectorAll('details')) part.open = open.get(nameOf(part)) ?? part.open;
    if (status !== null) status.textContent = 'The preview is up to date.';
  }, quietMilliseconds);
  const client = choice.querySelector('select');
  const scope = choice.querySelector('input');
  client?.addEventListener('input', () => {
    if (scope !== null) scope.value = client.selectedOptions[0]?.dataset.scope ?? ''; // set before the form sees the event
  });
  for (const each of [form, choice]) each?.addEventListener('input', show);
  form?.addEventListener('submit', () => {
    for (const [name, value] of entriesOf(choice)) {
      const kept = form.querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`);
      if (kept !== null) kept.value = value; // restores the choice when the browser restores the page
    }
  });
}

function entriesOf(form: HTMLFormElement | null): [string, string][] {
  return form === null ? [] : [...new FormData(form)].map(([name, value]) => [name, String(value)]);
}

function nameOf(part: Element): string {
  return part.querySelector('summary')?.textContent ?? '';
}

function openParts(target: Element): Map<string, boolean> {
  return new Map([...target.querySelectorAll('details')].map(part => [nameOf(part), part.open]));
}

/** Decodes a token while the user types or pastes it, or a key beside it. It sends the form in the background and shows the result. */
export function startDecode(): void {
  const form = document.querySelector<HTMLTextAreaElement>('textarea#token')?.form;
  if (!form) return;
  const typed = () => String(new URLSearchParams(entriesOf(form)));
  const show = throttle(async () => {
    const sent = typed();
    const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams(sent) });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const result = page.getElementById('decoded');
    const shown = document.getElementById('decoded');
    await untilReleased(shown);
    // skips the answer to an outdated text, because a newer request follows
    if (result !== null && shown !== null && sent === typed()) redraw(shown, result.innerHTML);
  }, quietMilliseconds);
  form.addEventListener('input', show);
}
