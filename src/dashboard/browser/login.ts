import { recordIn } from '../../base/text/record.ts';
import { startCopyButtons } from './copy.ts';
import { keepLoginForms } from './held-forms.ts';
import { fetchPage, throttle, untilReleased } from './page.ts';

const betweenMilliseconds = 200;

function startUserSearch(): void {
  const form = document.querySelector<HTMLFormElement>('#search-users');
  const field = form?.querySelector<HTMLInputElement>('#search');
  const result = document.getElementById('search-result');
  if (!form || !field || result === null) return;
  let shown = field.defaultValue;

  async function find(): Promise<void> {
    const search = field?.value ?? '';
    if (form === null || result === null || search === shown) return;
    const page = await askFor(form, search);
    const people = page?.getElementById('people');
    await untilReleased(document.getElementById('people'));
    if (field?.value !== search) return; // the newer text is searched next
    if (page === undefined || !people) {
      result.textContent = result.dataset.failed ?? '';
      return;
    }
    shown = search;
    document.getElementById('people')?.replaceChildren(...people.children);
    const words = page.getElementById('search-result')?.textContent ?? '';
    if (result.textContent !== words) result.textContent = words;
  }

  const findSoon = throttle(find, betweenMilliseconds);
  field.addEventListener('input', findSoon);
  addEventListener('pageshow', findSoon); // the browser may restore the page with the typed text
  field.addEventListener('keydown', async event => {
    if (event.key !== 'Enter' || field.value.trim() === '') return;
    event.preventDefault();
    await find();
    if (shown === field.value) document.querySelector<HTMLElement>('#people button')?.click();
  });
}

async function askFor(form: HTMLFormElement, search: string): Promise<Document | undefined> {
  const body = new URLSearchParams({ action: 'search', search });
  const { action } = form.dataset;
  return fetchPage(action ?? form.getAttribute('action') ?? '', { method: 'POST', body }).catch(() => undefined);
}

function startClaimChips(): void {
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

function put(editor: HTMLTextAreaElement, claims: string, { inserted = '', refused = '' }: DOMStringMap): string {
  const typed = editor.value.trim() === '' ? {} : recordIn(editor.value);
  if (typed === undefined) return refused;
  const added: Record<string, unknown> = JSON.parse(claims);
  editor.value = JSON.stringify({ ...typed, ...added }, null, 2);
  editor.rows = Math.max(editor.rows, editor.value.split('\n').length);
  return inserted.replace('{names}', () => Object.keys(added).join(', '));
}

// The pages for users work without scripts, also their errors. These scripts save time.
startUserSearch();
startClaimChips();
startCopyButtons();
keepLoginForms();
