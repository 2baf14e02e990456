const sequenceMilliseconds = 1500;
const rowsOf = 'main .rows tbody tr, main .seq > li, main [data-row]';

/** Single keys, which the dialog on `?` lists. They are off in fields, and Settings can turn them off (WCAG 2.1.4). */
export function startKeys(): void {
  const help = document.getElementById('keys-help');
  const isOff = () => document.body.dataset.keys === 'off';
  if (help !== null && !isOff()) {
    help.hidden = false;
    help.addEventListener('click', showKeys);
  }
  let sequence = 0;
  document.addEventListener(
    'keydown',
    event => {
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
      if (ctrlKey || metaKey || altKey || isOff() || isField(event.target) || document.querySelector('dialog[open]'))
        return;
      const inSequence = timeStamp - sequence < sequenceMilliseconds && sequence > 0;
      sequence = key === 'g' && !inSequence ? timeStamp : 0;
      const done = inSequence ? go(key) : keys[key]?.();
      if (!inSequence && done !== true) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  startRowFocus();
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
}

/** Each returns whether it handled the key. If not, the browser handles it. */
const keys: Readonly<Record<string, () => boolean>> = {
  '/': focusFilter,
  j: () => step(1),
  k: () => step(-1),
  u: back,
  Escape: back,
  ' ': pause,
  '[': () => fold(false),
  ']': () => fold(true),
  y: () => ['main .primary[data-copy]', 'main [data-copy]', '.issuer [data-copy]'].some(press),
  '.': showActions,
  '?': showKeys,
};

function go(key: string): boolean {
  return press(`#keys [data-key="${CSS.escape(key)}"]`);
}

function press(selector: string): boolean {
  const target = [...document.querySelectorAll<HTMLElement>(selector)].find(each => !each.hidden);
  target?.click();
  return target !== undefined;
}

function focusFilter(): boolean {
  const filter = document.getElementById('q');
  filter?.focus();
  return filter !== null;
}

function focusedRow(): Element | null {
  return document.activeElement?.closest(rowsOf) ?? null;
}

/** A pane beside the rows may take the step. */
function step(detail: 1 | -1): boolean {
  const isFree = document.dispatchEvent(new CustomEvent('rowstep', { detail, cancelable: true }));
  return !isFree || moveRow(detail);
}

function moveRow(step: 1 | -1): boolean {
  const rows: (Element | null)[] = [...document.querySelectorAll(rowsOf)];
  const now = rows.indexOf(focusedRow());
  return focusRow(rows[now < 0 ? (step > 0 ? 0 : -1) : now + step]);
}

function focusRow(row: Element | null | undefined): boolean {
  row?.querySelector<HTMLElement>('a, summary, button')?.focus();
  return row != null;
}

function back(): boolean {
  const list = [...document.querySelectorAll<HTMLAnchorElement>('.crumbs a')].at(-1);
  if (list === undefined) return false;
  sessionStorage.setItem('grantbox-back', '1');
  const from = document.referrer === '' ? '' : new URL(document.referrer).pathname;
  if ([list.pathname, `${list.pathname}/list`].includes(from)) history.back();
  else list.click();
  return true;
}

function startRowFocus(): void {
  document.addEventListener('click', ({ target }) => {
    const row = target instanceof Element && target.closest('a') !== null ? target.closest(rowsOf) : null;
    if (row?.id) sessionStorage.setItem('grantbox-row', row.id);
  });
  addEventListener('pageshow', () => {
    if (sessionStorage.getItem('grantbox-back') === null) return;
    const row = document.getElementById(sessionStorage.getItem('grantbox-row') ?? '');
    if (focusRow(row?.closest(rowsOf))) sessionStorage.removeItem('grantbox-back');
  });
}

/** Works only if the page itself has the focus, because Space presses a focused button. */
function pause(): boolean {
  const button = document.getElementById('pause');
  if (button === null || button.hidden || document.activeElement?.matches('body, main') !== true) return false;
  button.click();
  return true;
}

function fold(open: boolean): boolean {
  const all = document.querySelectorAll<HTMLDetailsElement>('main details');
  for (const each of all) each.open = open;
  return all.length > 0;
}

function showActions(): boolean {
  const scope = focusedRow() ?? document.querySelector('main');
  const actions = [...(scope?.querySelectorAll<HTMLElement>('.actions :is(summary, button, a)') ?? [])];
  const first = actions.find(each => each.matches('.dots')) ?? actions.find(each => !each.hidden);
  if (first?.parentElement instanceof HTMLDetailsElement) first.parentElement.open = true;
  first?.focus();
  return first !== undefined;
}

function showKeys(): boolean {
  const dialog = document.getElementById('keys');
  if (dialog instanceof HTMLDialogElement) dialog.showModal();
  return true;
}
