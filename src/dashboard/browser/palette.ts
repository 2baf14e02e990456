import { base, untilReleased } from './page.ts';

interface PaletteEntry {
  readonly kind: string;
  readonly name: string;
  readonly href: string;
}

const mostShown = 12;

/**
 * The dialog that Ctrl K, the field in the bar, and a button in narrow windows open. It leads to pages, clients, users, recent
 * flows and tokens.
 */
export function startPalette(): void {
  const dialog = document.getElementById('palette');
  const field = dialog?.querySelector('input');
  const list = dialog?.querySelector('ul');
  const count = dialog?.querySelector('p');
  if (!(dialog instanceof HTMLDialogElement) || field == null || list == null || count == null) return;
  let entries: readonly PaletteEntry[] = [];
  const show = () => {
    const found = matching(entries, field.value);
    showEntries(list, found.slice(0, mostShown));
    count.textContent = countWords(found.length);
  };
  const open = async () => {
    if (document.querySelector('dialog[open]') !== null) return;
    dialog.showModal();
    field.select();
    entries = pages();
    show();
    entries = [...entries, ...(await recorded())];
    await untilReleased(list);
    show();
  };
  field.addEventListener('input', show);
  document.getElementById('find')?.addEventListener('click', () => void open());
  document.getElementById('find-open')?.addEventListener('click', event => {
    event.preventDefault();
    void open();
  });
  document.addEventListener('keydown', event => {
    if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void open();
  });
  dialog.addEventListener('keydown', event => {
    // Escape in a search field with text would only clear it
    if (event.key === 'Escape') dialog.close();
    if (event.key === 'Enter' && event.target === field && press(list)) event.preventDefault();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops: (EventTarget | null)[] = [field, ...list.querySelectorAll('a')];
    const next = stops.at((stops.indexOf(event.target) + step) % stops.length);
    if (next instanceof HTMLElement) next.focus();
  });
}

function press(list: HTMLElement): boolean {
  const first = list.querySelector('a');
  first?.click();
  return first !== null;
}

function pages(): PaletteEntry[] {
  const links = document.querySelectorAll<HTMLAnchorElement>('#keys a[data-key]');
  return [...links].map(({ href, textContent }) => ({ kind: 'page', name: textContent ?? '', href }));
}

async function recorded(): Promise<PaletteEntry[]> {
  const response = await fetch(`${base}/dashboard/api/v1/places`).catch(() => undefined);
  if (response?.ok !== true) return [];
  const entries = (await response.json()) as { kind: string; name: string; path: string }[];
  return entries.map(({ kind, name, path }) => ({ kind, name, href: `${base}/dashboard${path}` }));
}

function matching(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = ({ kind, name }: PaletteEntry) => words.every(word => `${kind} ${name}`.toLowerCase().includes(word));
  return entries.filter(isMatch);
}

/** Screen readers announce it while the user types. */
function countWords(found: number): string {
  if (found === 0) return 'No match. Enter searches the requests.';
  if (found === 1) return '1 match';
  return found > mostShown ? `${found} matches, the first ${mostShown} are shown` : `${found} matches`;
}

function showEntries(list: HTMLElement, entries: readonly PaletteEntry[]): void {
  const rows = entries.map(({ kind, name, href }) => {
    const row = document.createElement('li');
    const link = document.createElement('a');
    const small = document.createElement('small');
    link.href = href;
    small.append(kind);
    link.append(name, ' ', small);
    row.append(link);
    return row;
  });
  list.replaceChildren(...rows);
}
