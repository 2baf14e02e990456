import { base } from './page.ts';

const rowsInBody = 25;

/** Parses rows from HTML of the sandbox, which escapes every value. */
export function parseRows(html: string): HTMLTableRowElement[] {
  const template = document.createElement('template');
  template.innerHTML = html;
  return [...template.content.querySelectorAll('tr')];
}

/**
 * Inserts rows on top, in a new `<tbody>` if the first is full, and drops the oldest rows beyond `most`. It drops at most as many
 * as it inserts, because the user may have loaded far older rows. Returns whether it dropped any.
 */
export function addRows(table: HTMLTableElement, rows: readonly HTMLTableRowElement[], most: number): boolean {
  const kept = Math.max(most, table.rows.length);
  let first = table.tBodies[0] ?? table.createTBody();
  if (first.rows.length + rows.length > 2 * rowsInBody) {
    first = table.insertBefore(document.createElement('tbody'), first);
  }
  first.setAttribute('role', 'rowgroup');
  for (const row of rows) row.className = 'fresh';
  first.prepend(...rows);
  nameFlowsOnce(table);
  table.dispatchEvent(new Event('rowschange'));
  const dropped = table.rows.length > kept ? [...table.rows].slice(kept) : [];
  for (const row of dropped) row.remove();
  return dropped.length > 0;
}

/** The newest row of a flow has its name. */
function nameFlowsOnce(table: HTMLTableElement): void {
  const named = new Set<string>();
  for (const link of table.querySelectorAll<HTMLAnchorElement>('.of-flow')) {
    if (named.has(link.href)) link.remove();
    else named.add(link.href);
  }
}

export function removeRows(table: HTMLTableElement): void {
  for (const body of [...table.tBodies].slice(1)) body.remove();
  table.tBodies[0]?.replaceChildren();
}

/** Updates the changed cells of a row in place. A cell that has the focus stays as it is. */
export function updateRow(row: HTMLTableRowElement, changed: HTMLTableRowElement): void {
  [...changed.cells].forEach((cell, index) => {
    const old = row.cells[index];
    if (old && old.innerHTML !== cell.innerHTML && !old.matches(':focus-within')) old.innerHTML = cell.innerHTML;
  });
}

/** Makes the link "Older" start after the last row. */
export function showOlder(table: HTMLTableElement): void {
  const older = document.getElementById('older');
  const last = table.rows[table.rows.length - 1]?.dataset.n;
  if (!(older instanceof HTMLAnchorElement) || last === undefined || older.hidden) return;
  const url = new URL(older.href);
  const { query = '' } = table.closest<HTMLElement>('[data-live]')?.dataset ?? {};
  if (query !== '') url.searchParams.set('q', query);
  url.searchParams.set('before', last);
  older.href = url.href;
}

/** Updates the status of a token, in the page or in the waiting rows. */
export function setStatus(waiting: readonly HTMLTableRowElement[], tokenId: string, status: string): void {
  const row = waiting.find(({ id }) => id === tokenId) ?? document.getElementById(tokenId);
  const badge = row?.querySelector<HTMLElement>('.status');
  if (!row || !badge) return;
  delete badge.dataset.exp;
  badge.textContent = status;
  badge.className = `badge status ${status}`;
  row.querySelector('progress')?.setAttribute('value', '0');
}

const nearPixels = 1500;

/** Appends the rows behind the link "Older" when the reader scrolls near the end. */
export function startOlderRows(): void {
  const older = document.getElementById('older');
  const table = document.querySelector<HTMLTableElement>('#token-list table');
  if (!(older instanceof HTMLAnchorElement) || table === null) return;
  let busy = false;
  const load = async () => {
    if (busy || !isNear(older)) return;
    busy = true;
    const isThere = await append(table, older).catch(() => false);
    busy = false;
    if (isThere) void load();
  };
  addEventListener('scroll', load, { passive: true });
  void load();
}

function isNear(older: HTMLElement): boolean {
  return !older.hidden && older.getBoundingClientRect().top < innerHeight + nearPixels;
}

async function append(table: HTMLTableElement, older: HTMLAnchorElement): Promise<boolean> {
  const { search } = new URL(older.href);
  const list = table.closest<HTMLElement>('[data-list]')?.dataset.list ?? 'tokens';
  const response = await fetch(`${base}/dashboard/api/v1/${list}/older${search}`);
  if (!response.ok) return false;
  const rows = parseRows(await response.text()).filter(row => document.getElementById(row.id) === null);
  for (let start = 0; start < rows.length; start += rowsInBody) {
    const body = table.createTBody();
    body.setAttribute('role', 'rowgroup');
    body.append(...rows.slice(start, start + rowsInBody));
  }
  const before = response.headers.get('Grantbox-Before');
  older.hidden = before === null;
  const url = new URL(older.href);
  url.searchParams.set('before', before ?? '');
  older.href = url.href;
  return true;
}
