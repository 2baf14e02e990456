import { type FeedMessage, onFeed } from './feed.ts';
import { throttle } from './throttle.ts';
import { addRows, parseRows, setStatus, showOlder } from './token-rows.ts';

const refreshMilliseconds = 250;
const leaveMilliseconds = 600;
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
  /** The history was cleared, or a gap in it is lost: only a reload helps. */
  stale: boolean;
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
  return { list, table, pause, show, waiting: [], newest: Number(document.body.dataset.newest ?? 0), stale: false };
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
  const { waiting, stale, show } = live;
  if ((waiting.length > 0 || stale) && mayInsert(live)) {
    insert(live);
  } else {
    show.hidden = waiting.length === 0 && !stale;
    show.textContent = stale ? 'The history changed – reload' : `${waiting.length} new – show`;
  }
}

function insert(live: LiveList): void {
  if (live.stale) {
    location.reload();
    return;
  }
  addRows(live.table, live.waiting, mostRows);
  live.waiting = [];
  live.list.hidden = false;
  live.show.hidden = true;
  document.getElementById('empty')?.remove();
  showOlder(live.table);
}

async function fetchRows(live: LiveList): Promise<void> {
  const parameters = new URLSearchParams({ after: String(live.newest), q: live.list.dataset.live ?? '' });
  const response = await fetch(`/dashboard/api/v1/tokens/rows?${parameters}`);
  if (!response.ok) return;
  const rows = parseRows(await response.text());
  live.newest = Number(response.headers.get('Grantbox-Newest') ?? live.newest);
  // More than fit in one answer: what lies between would be missing.
  if (response.headers.has('Grantbox-More')) live.stale = true;
  live.waiting = [...rows, ...live.waiting].slice(0, mostRows);
  settle(live);
}

function hear(live: LiveList, { kind, data }: FeedMessage, refresh: () => void): void {
  if (kind === 'token') {
    if (typeof data.ended === 'string') setStatus(live.waiting, data.ended, String(data.as));
    refresh();
  } else if (kind === 'revoked' && Array.isArray(data.ids)) {
    for (const id of data.ids) setStatus(live.waiting, String(id), 'revoked');
  } else if (kind === 'reset' || kind === 'resync') {
    live.stale = true;
    settle(live);
  }
}
