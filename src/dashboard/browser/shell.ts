import { type FeedConnection, onConnection, onFeed, onUnseen, type ReceivedMessage } from './feed.ts';
import { base } from './page.ts';

const announceMilliseconds = 5000;
const state = { connection: undefined as FeedConnection | undefined, paused: false };

/** The parts of every page: the state of the connection, the counts, and a live region for screen readers. */
export function startShell(): void {
  const bars = { away: document.getElementById('disconnected'), 'signed-out': document.getElementById('signed-out') };
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-here]'))
    link.href = location.href.split('#', 1)[0] ?? '';
  onConnection(connection => {
    state.connection = connection;
    for (const [name, bar] of Object.entries(bars)) if (bar !== null) bar.hidden = name !== connection;
    showState();
  });
  onFeed(showCounts);
  onUnseen(showUnseen);
  startAnnouncements();
  startPreferences();
  showEntryOfPage();
}

/**
 * Scrolls the navigation to the entry of this page, which may be below the end of a low window. `scrollIntoView` would scroll the
 * page, too, because the page keeps room for its bars (`scroll-padding`).
 */
function showEntryOfPage(): void {
  const navigation = document.querySelector('.side');
  const entry = navigation?.querySelector('[aria-current]')?.getBoundingClientRect();
  if (navigation === null || entry === undefined) return;
  navigation.scrollTop = entry.bottom - navigation.getBoundingClientRect().bottom;
}

/** Switches the theme without a new page, and remembers it and whether the tools are open. */
function startPreferences(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('.theme-switch')) {
    form.addEventListener('submit', event => {
      const { submitter } = event;
      if (!(submitter instanceof HTMLButtonElement)) return;
      event.preventDefault();
      const hadFocus = document.activeElement === submitter;
      document.documentElement.dataset.theme = submitter.value;
      // the pressed one is hidden now
      if (hadFocus) form.querySelector<HTMLButtonElement>(`button:not([value="${submitter.value}"])`)?.focus();
      remember('theme', submitter.value);
    });
  }
  const tools = document.getElementById('tools');
  tools?.querySelector('summary')?.addEventListener('click', () => {
    remember('tools', tools.hasAttribute('open') ? 'closed' : 'open');
  });
}

function remember(name: string, value: string): void {
  const body = new URLSearchParams({ [name]: value });
  // the answer leads back to a page, which nobody needs; without an answer this page has the theme all the same
  fetch(`${base}/dashboard/settings/display`, { method: 'POST', body, redirect: 'manual' }).catch(() => {});
}

/** Tells in the bar at the top whether the list is live or paused. */
export function showPaused(paused: boolean): void {
  state.paused = paused;
  showState();
}

function showState(): void {
  const chip = document.getElementById('live');
  const { connection, paused } = state;
  if (chip === null || connection === undefined) return;
  const words = { live: paused ? 'Paused' : 'Live', away: 'Reconnecting', 'signed-out': 'Signed out' };
  chip.hidden = false;
  chip.textContent = words[connection];
  chip.className = `chip live ${connection !== 'live' ? 'off' : paused ? '' : 'on'}`;
}

function showCounts({ kind, data }: ReceivedMessage): void {
  if (kind !== 'counts') return;
  showChip('clock', data.clock);
  showChip('faults-armed', data.armed);
  showChip('file-refused', data.file);
  for (const [name, count] of Object.entries(data)) {
    const element = document.getElementById(`count-${name}`);
    if (element === null) continue;
    element.textContent = count === 0 ? '' : String(count).replace(/\B(?=(\d{3})+$)/g, '\u2009');
  }
}

function showChip(id: string, words: unknown): void {
  const chip = document.getElementById(id);
  if (chip === null || typeof words !== 'string') return;
  // what works against the app is in sight
  if (chip.hidden && words !== '' && id !== 'file-refused') document.getElementById('tools')?.setAttribute('open', '');
  chip.textContent = words;
  chip.hidden = words === '';
}

function showUnseen(count: number): void {
  document.title = `${count === 0 ? '' : `(${count}) `}${document.title.replace(/^\(\d+\) /, '')}`;
  document.getElementById('count-problems')?.classList.toggle('unseen', count > 0);
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (icon !== null) icon.href = `${icon.href.split('?')[0]}${count === 0 ? '' : '?dot=1'}`;
}

function startAnnouncements(): void {
  const line = document.getElementById('announce');
  const names = new Map([
    ['token', 'new token'],
    ['problem', 'refusal'],
  ]);
  const seen = new Map<string, number>();
  onFeed(({ kind }) => {
    const name = names.get(kind);
    if (name !== undefined) seen.set(name, (seen.get(name) ?? 0) + 1);
  });
  setInterval(() => {
    if (line === null || seen.size === 0) return;
    line.textContent = [...seen].map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`).join(', ');
    seen.clear();
  }, announceMilliseconds);
}

/** Makes links open a dialog of the page. Without scripts they lead to a page with the same content. */
export function startDialogs(part: ParentNode = document): void {
  for (const link of part.querySelectorAll<HTMLAnchorElement>('a[data-dialog]')) {
    const dialog = document.getElementById(link.dataset.dialog ?? '');
    if (!(dialog instanceof HTMLDialogElement)) continue;
    link.addEventListener('click', event => {
      event.preventDefault();
      dialog.showModal();
    });
  }
}
