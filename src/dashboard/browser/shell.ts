import { type FeedConnection, onConnection, onFeed, onUnseen, type ReceivedMessage } from './feed.ts';

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
  showEntryOfPage();
}

/**
 * Scrolls the navigation to the entry of this page. The navigation is a strip on a narrow screen, and a column on others.
 * `scrollIntoView` would scroll the page, too, because the page keeps room for its bars (`scroll-padding`).
 */
function showEntryOfPage(): void {
  const navigation = document.querySelector('.side');
  const entry = navigation?.querySelector('[aria-current]')?.getBoundingClientRect();
  if (navigation === null || entry === undefined) return;
  const { left, width, bottom } = navigation.getBoundingClientRect();
  navigation.scrollLeft = entry.left + entry.width / 2 - (left + width / 2);
  navigation.scrollTop = entry.bottom - bottom;
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
    element.textContent = String(count).replace(/\B(?=(\d{3})+$)/g, '\u2009');
  }
}

function showChip(id: string, words: unknown): void {
  const chip = document.getElementById(id);
  if (chip === null || typeof words !== 'string') return;
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
