import { base, enhancePart } from './page.ts';

/** Below it a row leads to the page of the request. */
const widestPage = '(max-width: 700px)';
/** Below it the pane covers the list. */
const covers = '(max-width: 1000px)';

interface Parts {
  readonly split: HTMLElement;
  readonly pane: HTMLElement;
  readonly table: HTMLTableElement;
  /** The request in the pane; empty while it is closed. */
  shown: string;
  /** The tab that the user chose. The next request begins with it, too. */
  tab: string;
  loading: AbortController;
}

let parts: Parts | undefined;

/** Opens requests in a pane beside their list. The address follows, so that the pane can be reloaded and shared. */
function startRequestPane(): void {
  parts = findParts();
  if (parts === undefined) return;
  const { pane, table, shown } = parts;
  table.addEventListener('click', event => openRow(parts, event));
  pane.addEventListener('click', event => pressed(parts, event));
  pane.addEventListener('keydown', moveTab);
  document.addEventListener('keydown', closeByKey);
  document.addEventListener('rowstep', stepPane);
  addEventListener('popstate', () => parts && follow(parts));
  table.addEventListener('rowschange', () => parts && mark(parts));
  startRails(table);
  if (shown !== '') document.getElementById(shown)?.scrollIntoView({ block: 'nearest' });
}

function findParts(): Parts | undefined {
  const split = document.getElementById('split');
  const pane = document.getElementById('pane');
  const table = split?.querySelector('table');
  if (!split || !pane || !table) return undefined;
  return { split, pane, table, shown: pane.hidden ? '' : asked(), tab: '', loading: new AbortController() };
}

function asked(): string {
  return new URL(location.href).searchParams.get('open') ?? '';
}

/** Shows the next or the previous request of the list, where the pane is open. */
function stepPane(event: Event): void {
  if (!(event instanceof CustomEvent) || parts === undefined || parts.shown === '') return;
  event.preventDefault();
  const rows = [...parts.table.querySelectorAll<HTMLElement>('tr[data-n]')];
  const next = rows[rows.findIndex(row => row.id === parts?.shown) + event.detail];
  if (next !== undefined) void show(parts, next.id, { into: parts.pane.contains(document.activeElement) });
}

function openRow(parts: Parts | undefined, event: MouseEvent): void {
  const { target } = event;
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-n]') : null;
  if (!parts || !row || isForBrowser(event) || (target as Element).closest('a.value') !== null) return;
  if (matchMedia(widestPage).matches) {
    if ((target as Element).closest('a') === null) row.querySelector('a')?.click();
    return;
  }
  event.preventDefault();
  // the key Enter: the next Tab is in the pane
  void show(parts, row.id, { into: event.detail === 0 });
}

/** A new tab, or a selected text. */
function isForBrowser({ ctrlKey, metaKey, shiftKey, altKey, button }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey || button !== 0 || getSelection()?.type === 'Range';
}

async function show(parts: Parts, id: string, { into, isBack = false }: { into: boolean; isBack?: boolean }) {
  const { split, pane } = parts;
  const wasOpen = parts.shown !== '';
  parts.loading.abort();
  parts.loading = new AbortController();
  parts.shown = id;
  mark(parts);
  if (!isBack) remember(id, wasOpen);
  const address = `${base}/dashboard/requests/${id}/pane${listAddress().search}`;
  const { signal } = parts.loading;
  const html = await fetch(address, { signal }).then(
    answer => (answer.ok ? answer.text() : undefined),
    () => (signal.aborted ? '' : undefined),
  );
  if (html === undefined) return location.assign(`${base}/dashboard/requests/${id}`);
  if (signal.aborted) return;
  pane.innerHTML = html;
  pane.hidden = false;
  split.classList.add('open');
  enhancePart(pane);
  if (parts.tab !== '') choose(pane, parts.tab);
  const row = document.getElementById(id);
  row?.scrollIntoView({ block: 'nearest' });
  if (into || matchMedia(covers).matches) document.getElementById('pane-title')?.focus({ preventScroll: true });
  else row?.querySelector('a')?.focus({ preventScroll: true });
}

/** The first pane is one step of the history, so that Back closes it; the next ones take its place. */
function remember(id: string, isOpen: boolean): void {
  const url = listAddress();
  url.searchParams.set('open', id);
  if (isOpen) history.replaceState(history.state, '', url);
  else history.pushState({ pane: true }, '', url);
}

function follow(parts: Parts): void {
  const id = asked();
  if (id === '') hide(parts);
  else if (id !== parts.shown) void show(parts, id, { into: false, isBack: true });
}

function close(parts: Parts): void {
  hide(parts);
  if (history.state?.pane === true) {
    history.back();
    return;
  }
  history.replaceState(null, '', listAddress());
}

/** The address without the pane, and without what a fix in it has done. */
function listAddress(): URL {
  const url = new URL(location.href);
  for (const name of ['open', 'done', 'told']) url.searchParams.delete(name);
  return url;
}

function hide(parts: Parts): void {
  const { split, pane, shown } = parts;
  if (shown === '') return;
  parts.loading.abort();
  parts.shown = '';
  split.classList.remove('open');
  pane.hidden = true;
  mark(parts);
  const row = document.getElementById(shown);
  row?.querySelector('a')?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}

function mark({ table, shown }: Parts): void {
  for (const row of table.querySelectorAll('tr[aria-current]')) row.removeAttribute('aria-current');
  if (shown !== '') document.getElementById(shown)?.setAttribute('aria-current', 'true');
}

function pressed(parts: Parts | undefined, event: MouseEvent): void {
  const { target } = event;
  if (!parts || !(target instanceof Element) || isForBrowser(event)) return;
  const tab = target.closest('[role=tab]');
  if (tab !== null) {
    parts.tab = tab.id;
    choose(parts.pane, tab.id);
  }
  const { request } = target.closest<HTMLElement>('a[data-request]')?.dataset ?? {};
  if (request !== undefined) {
    event.preventDefault();
    void show(parts, request, { into: true });
  } else if (target.closest('.pane-close') !== null) {
    event.preventDefault();
    close(parts);
  }
}

function closeByKey({ key, target, defaultPrevented }: KeyboardEvent): void {
  if (key !== 'Escape' || defaultPrevented || parts === undefined || parts.shown === '') return;
  const isElsewhere = target instanceof Element && target.matches('input, textarea, select');
  if (!isElsewhere && document.querySelector('dialog[open]') === null) close(parts);
}

function choose(pane: HTMLElement, id: string): void {
  const tabs = [...pane.querySelectorAll<HTMLElement>('[role=tab]')];
  const chosen = tabs.find(tab => tab.id === id);
  if (chosen === undefined) return;
  for (const tab of tabs) {
    tab.setAttribute('aria-selected', String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
    if (panel !== null) panel.hidden = tab !== chosen;
  }
}

const tabSteps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

function moveTab(event: KeyboardEvent): void {
  const { key, target } = event;
  const step = tabSteps[key];
  if (step === undefined || !(target instanceof HTMLElement) || target.role !== 'tab') return;
  const tabs = [...(target.parentElement?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])];
  const next = tabs.at((tabs.indexOf(target) + step) % tabs.length);
  event.preventDefault();
  next?.click();
  next?.focus();
}

/** The pointer on one row lights all rows of its flow. */
function startRails(table: HTMLTableElement): void {
  let lit: string | undefined;
  const light = (flow: string | undefined) => {
    if (flow === lit) return;
    for (const row of table.querySelectorAll('.lit')) row.classList.remove('lit');
    lit = flow;
    if (flow === undefined) return;
    for (const row of table.querySelectorAll(`[data-flow="${CSS.escape(flow)}"]`)) row.classList.add('lit');
  };
  table.addEventListener('pointerover', ({ target }) => {
    light(target instanceof Element ? target.closest('tr')?.dataset.flow : undefined);
  });
  table.addEventListener('pointerleave', () => light(undefined));
}

startRequestPane();
