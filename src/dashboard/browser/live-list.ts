import { onFeed, type ReceivedMessage } from './feed.ts';
import { addRows, parseRows, removeRows, setStatus, showOlder, updateRow } from './live-rows.ts';
import { base, throttle, untilReleased } from './page.ts';
import { isAnythingTyped } from './restart.ts';
import { showPaused } from './shell.ts';

const refreshMilliseconds = 250;
const leaveMilliseconds = 600;
/** Limits the requests for rows to a busy sandbox. */
const floodMilliseconds = 1000;
/** Older rows leave the page but not the history. The link "Older" leads to them. */
const mostRows = 1000;
const topBar = 48;

interface LiveList {
  readonly list: HTMLElement;
  readonly table: HTMLTableElement;
  readonly pause: HTMLButtonElement;
  readonly show: HTMLButtonElement;
  waiting: HTMLTableRowElement[];
  /** How many rows are new. More may be new than wait. */
  count: number;
  changed: HTMLTableRowElement[];
  /** The cursor up to which rows were fetched, in the units of the list; empty to fetch all rows. */
  after: string;
  /** The cursor before all rows had to be fetched, which tells how many of them are new. */
  since: string;
  /** More events happened than the stream carried, so the fetched rows replace all rows. */
  replace: boolean;
  /** The rows that replace all rows are not all there are. */
  areMore: boolean;
  /** The history was cleared, so the page must be reloaded. */
  cleared: boolean;
}

/** The newest page of a list with `data-live`. New rows appear on top, or wait behind a button while the user reads. */
export function startLiveList(): void {
  const live = findList();
  if (live === undefined) return;
  const refresh = throttle(() => fetchRows(live), refreshMilliseconds);
  const { list, pause, show } = live;
  pause.hidden = false;
  const follow = document.querySelector<HTMLElement>('.follow');
  if (follow !== null) follow.hidden = false;
  follow?.addEventListener('change', () => settle(live));
  pause.addEventListener('click', () => {
    const paused = !isPaused(live);
    pause.setAttribute('aria-pressed', String(paused));
    pause.textContent = paused ? 'Resume' : 'Pause';
    showPaused(paused);
    settle(live);
  });
  show.addEventListener('click', () => {
    scrollTo({ top: 0 });
    insert(live);
  });
  // Later, because the pointer may be on its way to the button.
  list.addEventListener('pointerleave', () => setTimeout(() => settle(live), leaveMilliseconds));
  addEventListener('scroll', () => isSettled(live) || settle(live), { passive: true });
  const again = throttle(() => readAgain(live), refreshMilliseconds);
  onFeed(message => (message.kind === 'clock' ? again() : hear(live, message, refresh)));
}

function findList(): LiveList | undefined {
  const list = document.querySelector<HTMLElement>('[data-live]');
  const table = list?.querySelector('table');
  const pause = document.getElementById('pause');
  const show = document.getElementById('show-new');
  if (!list || !table || !(pause instanceof HTMLButtonElement) || !(show instanceof HTMLButtonElement))
    return undefined;
  const after = list.dataset.after ?? '';
  return {
    list,
    table,
    pause,
    show,
    waiting: [],
    count: 0,
    changed: [],
    after,
    since: '',
    replace: false,
    areMore: false,
    cleared: false,
  };
}

function isPaused({ pause }: LiveList): boolean {
  return pause.getAttribute('aria-pressed') === 'true';
}

function isFollowing(): boolean {
  return document.querySelector('#follow:checked') !== null;
}

/** Rows must not move under a pointer, a focus or a reader, unless the reader follows the newest entries. */
function mayInsert(live: LiveList): boolean {
  if (isFollowing()) return !isPaused(live);
  return (
    !isPaused(live) &&
    scrollY < 8 &&
    live.table.querySelector(':is(tbody:hover, tbody:focus-within)') === null &&
    !live.show.matches(':hover, :focus')
  );
}

/** Asked at each scroll step, before a change forces the browser to compute the layout again. */
function isSettled({ waiting, changed, cleared }: LiveList): boolean {
  return waiting.length === 0 && changed.length === 0 && !cleared;
}

function settle(live: LiveList): void {
  const { waiting, cleared, show } = live;
  if (!isPaused(live)) {
    for (const row of live.changed) update(row);
    live.changed = [];
  }
  if ((cleared ? !isAnythingTyped() : waiting.length > 0) && mayInsert(live)) {
    insert(live);
  } else {
    const words = cleared ? 'The history was cleared, reload' : `${live.count} new, show`;
    show.hidden = waiting.length === 0 && !cleared;
    pin(live);
    // called at each scroll step, so it changes only elements that differ
    if (show.textContent !== words) show.textContent = words;
  }
}

function pin({ show }: LiveList): void {
  const bar = show.parentElement?.getBoundingClientRect();
  show.classList.toggle('pinned', bar !== undefined && bar.top < topBar);
}

function update(changed: HTMLTableRowElement): void {
  const row = document.getElementById(changed.id);
  if (row instanceof HTMLTableRowElement) updateRow(row, changed);
}

function insert(live: LiveList): void {
  if (live.cleared) {
    location.reload();
    return;
  }
  if (isFollowing()) scrollTo({ top: 0 });
  if (live.replace) removeRows(live.table);
  const older = document.getElementById('older');
  const areMore = live.replace && live.areMore;
  const dropped = addRows(live.table, live.waiting, mostRows);
  if ((areMore || dropped) && older !== null) older.hidden = false;
  live.waiting = [];
  live.count = 0;
  live.replace = false;
  live.list.hidden = false;
  live.show.hidden = true;
  document.getElementById('empty')?.remove();
  showOlder(live.table);
}

function askFor({ list, since }: LiveList, after: string): Promise<Response> {
  const { live: name, query = '' } = list.dataset;
  const parameters = new URLSearchParams({ after, since, q: query });
  return fetch(`${base}/dashboard/api/v1/${name}/rows?${parameters}`);
}

async function fetchRows(live: LiveList): Promise<void> {
  const response = await askFor(live, live.after);
  if (!response.ok) return;
  const rows = parseRows(await response.text());
  await untilReleased(live.list);
  const missing = live.after === '' || response.headers.has('Grantbox-More');
  live.after = response.headers.get('Grantbox-Newest') ?? live.after;
  if (missing) {
    const fresh = response.headers.get('Grantbox-Count');
    live.count = fresh === null ? rows.length : live.count + Number(fresh);
    live.replace = true;
    live.areMore = response.headers.has('Grantbox-More');
    live.waiting = rows;
  } else {
    take(live, rows);
  }
  settle(live);
  if (missing) await new Promise(resolve => setTimeout(resolve, floodMilliseconds));
}

/** The clock was moved, so all times on the page differ and tokens may have expired or become valid again. */
async function readAgain(live: LiveList): Promise<void> {
  const response = await askFor(live, '');
  if (!response.ok) return;
  const rows = parseRows(await response.text());
  await untilReleased(live.list);
  live.changed.push(...rows.filter(({ id }) => document.getElementById(id) !== null));
  settle(live);
}

function take(live: LiveList, rows: readonly HTMLTableRowElement[]): void {
  const fresh = rows.filter(row => {
    const place = live.waiting.findIndex(({ id }) => id === row.id);
    if (place >= 0) live.waiting[place] = row;
    else if (document.getElementById(row.id) !== null && !live.replace) live.changed.push(row);
    else return true;
    return false;
  });
  live.count += fresh.length;
  live.waiting = [...fresh, ...live.waiting].slice(0, mostRows);
}

function hear(live: LiveList, { kind, data }: ReceivedMessage, refresh: () => void): void {
  if (kind === 'reset') {
    live.cleared = true;
    settle(live);
  } else if (kind === 'resync') {
    if (live.after !== '') live.since = live.after;
    live.after = '';
    refresh();
  } else {
    tellFates(live, data);
    if (kind === 'missed' || live.list.dataset.on?.split(' ').includes(kind)) refresh();
  }
}

function tellFates({ waiting }: LiveList, { ended, as, ids }: ReceivedMessage['data']): void {
  if (typeof ended === 'string') setStatus(waiting, ended, String(as));
  if (Array.isArray(ids)) for (const id of ids) setStatus(waiting, String(id), 'revoked');
}
