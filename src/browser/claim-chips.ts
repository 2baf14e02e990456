import { recordIn } from '../text/record.ts';

/** Makes the buttons of the claims editor insert a claim into the JSON; without scripts they stay hidden. */
export function startClaimChips(): void {
  const editor = document.querySelector<HTMLTextAreaElement>('#claims');
  const chips = document.getElementById('claim-chips');
  if (editor === null || chips === null) return;
  chips.hidden = false;
  for (const chip of chips.querySelectorAll<HTMLButtonElement>('[data-claims]')) {
    chip.addEventListener('click', () => say(put(editor, chip.dataset.claims ?? '{}')));
  }
}

/** Inserts the claims and says so. */
function put(editor: HTMLTextAreaElement, claims: string): string {
  const typed = read(editor.value);
  if (typed === undefined) return 'Nothing was inserted: the field must hold a JSON object.';
  const added: Record<string, unknown> = JSON.parse(claims);
  editor.value = JSON.stringify({ ...typed, ...added }, null, 2);
  editor.rows = Math.max(editor.rows, editor.value.split('\n').length);
  return `Inserted: ${Object.keys(added).join(', ')}`;
}

function read(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {};
  return recordIn(text);
}

function say(words: string): void {
  const result = document.getElementById('chips-result');
  if (result !== null) result.textContent = words;
}
