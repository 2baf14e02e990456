import { throttle } from './throttle.ts';

const quietMilliseconds = 300;

/** The tokens of a user are shown anew while somebody types claims or chooses a client; without scripts a button does it. */
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
    // who may only look has no form to send
    const answer = await (form === null
      ? fetch(`${address}?${fields}`)
      : fetch(address, { method: 'POST', body: fields }));
    if (!answer.ok) return;
    const open = openParts(target);
    target.innerHTML = await answer.text();
    for (const part of target.querySelectorAll('details')) part.open = open.get(nameOf(part)) ?? part.open;
    if (status !== null) status.textContent = 'The preview is up to date.';
  }, quietMilliseconds);
  const client = choice.querySelector('select');
  const scope = choice.querySelector('input');
  client?.addEventListener('input', () => {
    if (scope !== null) scope.value = client.selectedOptions[0]?.dataset.scope ?? ''; // before the form hears of it
  });
  for (const each of [form, choice]) each?.addEventListener('input', show);
  form?.addEventListener('submit', () => {
    for (const [name, value] of entriesOf(choice)) {
      const kept = form.querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`);
      if (kept !== null) kept.value = value; // so that the page comes back as it was
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
