import { toClipboard } from './copy.ts';
import { base, untilReleased } from './page.ts';
import { visitedEarlier } from './visited.ts';

interface PaletteEntry {
  readonly kind: string;
  readonly name: string;
  readonly href?: string;
  readonly send?: { readonly path: string; readonly fields: Readonly<Record<string, string>> };
  readonly refused?: string;
  does?(): void;
}

const mostShown = 12;

/**
 * The dialog that Ctrl K, the field in the bar, and a button in narrow windows open. It leads to pages, clients, users, recent
 * flows and tokens, and it acts. Without a typed text it has the pages that were visited last, and the actions.
 */
export function startPalette(): void {
  const dialog = document.getElementById('palette');
  const field = dialog?.querySelector('input');
  const list = dialog?.querySelector('ul');
  const count = dialog?.querySelector('p');
  if (!(dialog instanceof HTMLDialogElement) || field == null || list == null || count == null) return;
  let entries: readonly PaletteEntry[] = [];
  let isComplete = false;
  let isEnterWaiting = false;
  const show = () => {
    const typed = field.value.trim();
    const found = typed === '' ? beforeTyping(entries) : matching(entries, typed);
    const searches = found.length === 0 && isComplete ? [searchFor(typed)] : [];
    list.replaceChildren(...[...found, ...searches].slice(0, mostShown).map(rowOf));
    count.textContent = typed === '' ? '' : isComplete || found.length > 0 ? countWords(found.length) : 'Searching …';
  };
  const open = async () => {
    if (document.querySelector('dialog[open]') !== null) return;
    dialog.showModal();
    field.select();
    [entries, isComplete, isEnterWaiting] = [[...pages(), ...themes(dialog)], false, false];
    show();
    entries = [...entries, ...(await recorded(dialog))];
    isComplete = true;
    await untilReleased(list);
    show();
    if (isEnterWaiting) press(list);
  };
  field.addEventListener('input', show);
  startOpening(open);
  dialog.addEventListener('keydown', event => {
    // Escape in a search field with text would only clear it
    if (event.key === 'Escape') dialog.close();
    if (event.key === 'Enter' && event.target === field) {
      event.preventDefault();
      isEnterWaiting = !press(list) && !isComplete;
    }
    step(event, field, list);
  });
}

function startOpening(open: () => Promise<void>): void {
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
}

function step(event: KeyboardEvent, field: HTMLElement, list: HTMLElement): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const stops: (EventTarget | null)[] = [field, ...list.querySelectorAll('a, button')];
  const next = stops.at((stops.indexOf(event.target) + by) % stops.length);
  if (next instanceof HTMLElement) next.focus();
}

function press(list: HTMLElement): boolean {
  const first = list.querySelector<HTMLElement>('a, button');
  first?.click();
  return first !== null;
}

function pages(): PaletteEntry[] {
  const links = document.querySelectorAll<HTMLAnchorElement>('#keys a[data-key]');
  return [...links].map(({ href, textContent }) => ({ kind: 'page', name: textContent ?? '', href }));
}

/** The button of the frame for the theme that is not on. */
function themes(dialog: HTMLDialogElement): PaletteEntry[] {
  const buttons = document.querySelectorAll<HTMLButtonElement>('.side .theme-switch button');
  return [...buttons]
    .filter(button => getComputedStyle(button).display !== 'none')
    .map(button => ({
      kind: 'action',
      name: (button.textContent ?? '').trim().replace(/\s+/g, ' '),
      does() {
        dialog.close();
        button.form?.requestSubmit(button);
      },
    }));
}

interface Told extends Omit<PaletteEntry, 'href' | 'does'> {
  readonly path?: string;
  readonly copies?: string;
}

async function recorded(dialog: HTMLDialogElement): Promise<PaletteEntry[]> {
  const response = await fetch(`${base}/dashboard/api/v1/places`).catch(() => undefined);
  if (response?.ok !== true) return [];
  const entries = (await response.json()) as Told[]; // the sandbox made it
  return entries.map(({ path, copies, ...entry }) => ({
    ...entry,
    ...(path === undefined ? {} : { href: `${base}/dashboard${path}` }),
    ...(copies === undefined ? {} : { does: () => void copy(dialog, copies) }),
  }));
}

/** The dialog is closed first, because the older way to copy selects a text of the page below it. */
async function copy(dialog: HTMLDialogElement, path: string): Promise<void> {
  dialog.close();
  const response = await fetch(`${base}/dashboard${path}`).catch(() => undefined);
  const isCopied = response?.ok === true && (await toClipboard(await response.text()));
  say(isCopied ? 'Copied the newest access token.' : 'Not copied: the browser or the sandbox refused it.');
}

const saidMilliseconds = 4000;

function say(words: string): void {
  const line = document.getElementById('announce');
  if (line !== null) line.textContent = words;
  const toast = document.createElement('p');
  toast.className = 'toast';
  toast.setAttribute('aria-hidden', 'true'); // the line has told it
  toast.textContent = words;
  document.getElementById('main')?.append(toast);
  setTimeout(() => toast.remove(), saidMilliseconds);
}

function beforeTyping(entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  return [...visitedEarlier(), ...entries.filter(({ kind }) => kind === 'action')];
}

function matching(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/);
  const isMatch = ({ kind, name }: PaletteEntry) => words.every(word => `${kind} ${name}`.toLowerCase().includes(word));
  return entries.filter(isMatch);
}

function searchFor(typed: string): PaletteEntry {
  const href = `${base}/dashboard/requests?q=${encodeURIComponent(typed)}`;
  return { kind: '↵', name: `Search all requests for “${typed}”`, href };
}

/** Screen readers announce it while the user types. */
function countWords(found: number): string {
  if (found === 0) return 'No match';
  if (found === 1) return '1 match';
  return found > mostShown ? `${found} matches, the first ${mostShown} are shown` : `${found} matches`;
}

function rowOf(entry: PaletteEntry): HTMLElement {
  const row = document.createElement('li');
  const part = document.createElement(entry.href ? 'a' : entry.refused ? 'span' : 'button');
  const small = document.createElement('small');
  small.append(entry.refused ?? entry.kind);
  part.append(entry.name, ' ', small);
  if (part instanceof HTMLAnchorElement && entry.href) part.href = entry.href;
  if (entry.refused) part.setAttribute('aria-disabled', 'true');
  if (part instanceof HTMLButtonElement) part.type = entry.send ? 'submit' : 'button';
  if (entry.does) part.addEventListener('click', entry.does);
  row.append(entry.send ? formOf(entry.send, part) : part);
  return row;
}

/** This page, without what it told. */
function hereAgain(): string {
  const query = new URLSearchParams(location.search);
  for (const name of ['told', 'done']) query.delete(name);
  return location.pathname + (query.size === 0 ? '' : `?${query}`);
}

function formOf({ path, fields }: NonNullable<PaletteEntry['send']>, button: HTMLElement): HTMLElement {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = `${base}/dashboard${path}`;
  for (const [name, value] of Object.entries({ ...fields, back: hereAgain() })) {
    const input = document.createElement('input');
    Object.assign(input, { type: 'hidden', name, value });
    form.append(input);
  }
  form.append(button);
  return form;
}
