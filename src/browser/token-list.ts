import { type FeedMessage, onFeed } from './feed.ts';
import { throttle } from './throttle.ts';
import { addRows, parseRows, removeRows, setStatus, showOlder } from './token-rows.ts';

const refreshMilliseconds = 250;
const leaveMilliseconds = 600;
/** A sandbox under load is not asked for its whole list four times a second. */
const floodMilliseconds = 1000;
/** Older rows leave the page, not the history: "Older" leads to them. */
const mostRows = 1000;

interface LiveList {
  readonly list: HTMLElement;
  readonly table: HTMLTableElement;
  readonly pause: HTMLButtonElement;
  readonly show: HTMLButtonElement;
  /** Newest first, not in the page yet. */
  waiting: HTMLTableRowElement[];
  /** Event id up to which rows were fetched. */
  newest: number;
  /** More happened than was told: what waits takes the place of all rows. */
  replace: boolean;
  /** The history was cleared: only a reload helps. */
  cleared: boolean;
}

/** The newest page of the token list: new rows come in at the top, or wait behind a button while somebody reads. */
export function startTokenList(): void {
  const live = findList();
  if (live === undefined) return;
  const refresh = throttle(() => fetchRows(live), refreshMilliseconds);
  const { list, pause, show } = live;
  pause.hidden = false;
  pause.addEventListener('click', () => {
    pause.setAttribute('aria-pressed', String(!isPaused(live)));
    pause.textContent = isPaused(live) ? 'Resume' : 'Pause';
    settle(live);
  });
  show.addEventListener('click', () => {
    scrollTo({ top: 0 });
    insert(live);
  });
  // Not at once: the pointer may be on its way to the button.
  list.addEventListener('pointerleave', () => setTimeout(() => settle(live), leaveMilliseconds));
  addEventListener('scroll', () => settle(live), { passive: true });
  onFeed(message => hear(live, message, refresh));
}

function findList(): LiveList | undefined {
  const list = document.getElementById('token-list');
  const table = list?.querySelector('table');
  const pause = document.getElementById('pause');
  const show = document.getElementById('show-new');
  if (!list || !table || !(pause instanceof HTMLButtonElement) || !(show instanceof HTMLButtonElement))
    return undefined;
  return {
    list,
    table,
    pause,
    show,
    waiting: [],
    newest: Number(document.body.dataset.newest ?? 0),
    replace: false,
    cleared: false,
  };
}

function isPaused({ pause }: LiveList): boolean {
  return pause.getAttribute('aria-pressed') === 'true';
}

/** Nothing may move under a pointer, a focus or a reader. */
function mayInsert(live: LiveList): boolean {
  return (
    !isPaused(live) &&
    scrollY < 8 &&
    !live.list.matches(':hover, :focus-within') &&
    !live.show.matches(':hover, :focus')
  );
}

function settle(live: LiveList): void {
  const { waiting, cleared, show } = live;
  if ((waiting.length > 0 || cleared) && mayInsert(live)) {
    insert(live);
  } else {
    show.hidden = waiting.length === 0 && !cleared;
    show.textContent = cleared ? 'The history was cleared – reload' : `${waiting.length} new – show`;
  }
}

function insert(live: LiveList): void {
  if (live.cleared) {
    location.reload();
    return;
  }
  if (live.replace) removeRows(live.table);
  addRows(live.table, live.waiting, mostRows);
  live.waiting = [];
  live.replace = false;
  live.list.hidden = false;
  live.show.hidden = true;
  document.getElementById('empty')?.remove();
  showOlder(live.table);
}

async function fetchRows(live: LiveList): Promise<void> {
  const parameters = new URLSearchParams({ after: String(live.newest), q: live.list.dataset.live ?? '' });
  const response = await fetch(
    `${document.documentElement.dataset.base ?? ''}/dashboard/api/v1/tokens/rows?${parameters}`,
  );
  if (!response.ok) return;
  const rows = parseRows(await response.text());
  const missing = live.newest === 0 || response.headers.has('Grantbox-More');
  live.newest = Number(response.headers.get('Grantbox-Newest') ?? live.newest);
  if (missing) live.replace = true;
  live.waiting = missing ? rows : [...rows, ...live.waiting].slice(0, mostRows);
  settle(live);
  if (missing) await new Promise(resolve => setTimeout(resolve, floodMilliseconds));
}

function hear(live: LiveList, { kind, data }: FeedMessage, refresh: () => void): void {
  if (kind === 'token') {
    if (typeof data.ended === 'string') setStatus(live.waiting, data.ended, String(data.as));
    refresh();
  } else if (kind === 'revoked' && Array.isArray(data.ids)) {
    for (const id of data.ids) setStatus(live.waiting, String(id), 'revoked');
  } else if (kind === 'resync') {
    live.newest = 0;
    refresh();
  } else if (kind === 'reset') {
    live.cleared = true;
    settle(live);
  }
}
