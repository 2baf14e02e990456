import { parseRows, rowsInBody } from './live-rows.ts';
import { base } from './page.ts';

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
