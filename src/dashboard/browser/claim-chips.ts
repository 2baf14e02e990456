import { recordIn } from '../../base/text/record.ts';

/** Makes the buttons of the claims editor insert a claim into the JSON. Without scripts the buttons stay hidden. */
export function startClaimChips(): void {
  const editor = document.querySelector<HTMLTextAreaElement>('#claims');
  const chips = document.getElementById('claim-chips');
  const result = document.getElementById('chips-result');
  if (editor === null || chips === null || result === null) return;
  chips.hidden = false;
  for (const chip of chips.querySelectorAll<HTMLButtonElement>('[data-claims]')) {
    chip.addEventListener('click', () => {
      result.textContent = put(editor, chip.dataset.claims ?? '{}', result.dataset);
    });
  }
}

/** Inserts the claims and announces it, in the language of the page. */
function put(editor: HTMLTextAreaElement, claims: string, { inserted = '', refused = '' }: DOMStringMap): string {
  const typed = editor.value.trim() === '' ? {} : recordIn(editor.value);
  if (typed === undefined) return refused;
  const added: Record<string, unknown> = JSON.parse(claims);
  editor.value = JSON.stringify({ ...typed, ...added }, null, 2);
  editor.rows = Math.max(editor.rows, editor.value.split('\n').length);
  return inserted.replace('{names}', () => Object.keys(added).join(', '));
}
