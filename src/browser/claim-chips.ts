import { recordIn } from '../text/record.ts';

/** Buttons of the claims editor that put a claim into the JSON; without scripts there are none. */
export function startClaimChips(): void {
  const editor = document.querySelector<HTMLTextAreaElement>('#claims');
  const chips = document.getElementById('claim-chips');
  if (editor === null || chips === null) return;
  chips.hidden = false;
  for (const chip of chips.querySelectorAll<HTMLButtonElement>('[data-claims]')) {
    chip.addEventListener('click', () => say(put(editor, chip.dataset.claims ?? '{}')));
  }
}

/** What came of it, in words. */
function put(editor: HTMLTextAreaElement, claims: string): string {
  const typed = read(editor.value);
  if (typed === undefined) return 'Nothing was put in: what stands there is no JSON object.';
  const added: Record<string, unknown> = JSON.parse(claims);
  editor.value = JSON.stringify({ ...typed, ...added }, null, 2);
  editor.rows = Math.max(editor.rows, editor.value.split('\n').length);
  return `${Object.keys(added).join(', ')} was put in.`;
}

function read(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  return recordIn(text);
}

function say(words: string): void {
  const result = document.getElementById('chips-result');
  if (result !== null) result.textContent = words;
}
