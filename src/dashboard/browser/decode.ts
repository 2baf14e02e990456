import { untilReleased } from './pressed.ts';
import { redraw } from './redraw.ts';
import { throttle } from './throttle.ts';

const quietMilliseconds = 300;

/** Decodes a token while the user types or pastes it. It sends the form in the background and shows the result. */
export function startDecode(): void {
  const input = document.querySelector<HTMLTextAreaElement>('textarea#token');
  const form = input?.form;
  if (!input || !form) return;
  const show = throttle(async () => {
    const sent = input.value;
    const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams({ token: sent }) });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const result = page.getElementById('decoded');
    const shown = document.getElementById('decoded');
    await untilReleased(shown);
    // skips the answer to an outdated text, because a newer request follows
    if (result !== null && shown !== null && sent === input.value) redraw(shown, result.innerHTML);
  }, quietMilliseconds);
  input.addEventListener('input', show);
}
