import { age, duration, left, relative } from '../../base/text/duration.ts';
import { isRecord } from '../../base/text/record.ts';
import { onFeed } from './feed.ts';
import { refreshParts } from './page.ts';

const { now = '0', offset = '0', frozen } = document.body.dataset;
/** Seconds by which this machine is ahead of the server, whose time is in the page. */
const serverAhead = Number(now) - Number(offset) - Date.now() / 1000;
/** The clock of the sandbox: seconds ahead of the real time, or the time at which it is frozen. */
const clock = { offset: Number(offset), standsAt: frozen === undefined ? undefined : Number(now) };

function sandboxNow(): number {
  return clock.standsAt ?? Date.now() / 1000 + serverAhead + clock.offset;
}

/** Updates the texts "4 min left", "4 min ago" and "waits (4 min)" every second while the page is visible, and follows a moved clock. */
export function startTimes(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible' && clock.standsAt === undefined) tick();
  }, 1000);
  onFeed(({ kind, data: { time } }) => {
    if (kind === 'counts' && isTime(time)) follow(time);
  });
}

interface Time {
  readonly now: number;
  readonly offset: number;
  readonly frozen: boolean;
}

function isTime(time: unknown): time is Time {
  return isRecord(time) && 'now' in time && 'offset' in time && 'frozen' in time;
}

function follow({ now, offset, frozen }: Time): void {
  const standsAt = frozen ? now : undefined;
  // a frozen clock falls behind the real time by itself
  if (standsAt === clock.standsAt && (frozen || offset === clock.offset)) return;
  clock.offset = offset;
  clock.standsAt = standsAt;
  tick();
}

function tick(): void {
  const now = sandboxNow();
  for (const element of shownTimes()) showLeft(element, Number(element.dataset.exp) - now);
  for (const element of document.querySelectorAll<HTMLElement>('[data-at]')) {
    const say = element.dataset.age === undefined ? relative : age;
    const words = say(Number(element.dataset.at) - now);
    if (element.textContent !== words) element.textContent = words;
  }
  for (const element of document.querySelectorAll<HTMLElement>('[data-waits]')) showWait(element, now);
}

/** A flow that waits, and that nobody continued when its time is over. */
function showWait(element: HTMLElement, now: number): void {
  const { waits = '', since, until, after = '' } = element.dataset;
  const isOver = now > Number(until);
  const open = since === undefined ? waits : `${waits} (${duration(now - Number(since))})`;
  const words = isOver ? after : open;
  if (element.textContent === words) return;
  element.textContent = words;
  if (isOver) element.title = words;
}

function showLeft(element: HTMLElement, seconds: number): void {
  const words = seconds > 0 ? left(seconds, Number(element.dataset.parts ?? 1)) : 'expired';
  if (element.textContent === words) return;
  const wasExpired = element.textContent === 'expired';
  element.textContent = words;
  progressOf(element)?.setAttribute('value', String(Math.max(0, Math.floor(seconds))));
  if (wasExpired || seconds <= 0) showState(element, seconds > 0 ? 'valid' : 'expired');
}

/**
 * Skips rows that `content-visibility` does not render: updating ten thousand rows would take a tenth of each second and cost a
 * new layout when they come into view. It asks the row, because only the contents of the row count as skipped.
 */
function shownTimes(): HTMLElement[] {
  const shown = [...document.querySelectorAll('tbody')].filter(({ rows }) =>
    rows[0]?.checkVisibility({ contentVisibilityAuto: true }),
  );
  const inRows = shown.flatMap(rows => [...rows.querySelectorAll<HTMLElement>('[data-exp]')]);
  return [...inRows, ...document.querySelectorAll<HTMLElement>('[data-exp]:not(tbody *)')];
}

function progressOf(element: HTMLElement): HTMLProgressElement | null | undefined {
  return element.closest('.chip, .state, tr, .lifetime')?.querySelector('progress');
}

/** A clock that was set back makes expired tokens valid again. */
function showState(element: HTMLElement, state: 'valid' | 'expired'): void {
  const others = element.closest('tr') === null ? document.querySelectorAll<HTMLElement>('[data-state]') : [];
  for (const other of others) other.textContent = state;
  element.closest('.chip')?.classList.toggle('gone', state === 'expired');
  for (const status of [element, ...others]) status.classList.replace(state === 'valid' ? 'expired' : 'valid', state);
  if (state === 'valid') element.classList.replace('mid', 'ok');
  else element.classList.replace('ok', 'mid');
  // the checks of a token page say how long it is good, too
  if (element.closest('#answer') !== null) void refreshParts(document.querySelectorAll('#answer'));
}
