import { throttle } from './throttle.ts';

const quietMilliseconds = 300;

/** Decodes a token while somebody types or pastes it. The form is sent in the background, and the page shows the result. */
export function startDecode(): void {
  const input = document.querySelector<HTMLTextAreaElement>('textarea#token');
  const form = input?.form;
  if (!input || !form) return;
  const show = throttle(async () => {
    const sent = input.value;
    const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams({ token: sent }) });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const result = page.getElementById('decoded');
    // an answer to an older text is followed by the newer one
    if (result !== null && sent === input.value) document.getElementById('decoded')?.replaceWith(result);
  }, quietMilliseconds);
  input.addEventListener('input', show);
}
