import type { SandboxClock } from '../clock/sandbox-clock.ts';
import { defined } from '../defined.ts';
import { clockChip } from './clock/clock-words.ts';
import type { Desk } from './desk.ts';
import { faultChip } from './faults/fault-words.ts';
import { momentOf } from './moment.ts';
import { groups, type NavEntry, pages } from './nav.ts';
import { openedPages } from './opened.ts';
import { fileChip } from './settings/file-view.ts';
import { issuedCount } from './tokens/issued-count.ts';

/** The frame of every page: navigation with counts, clock, armed faults, state of the file. */
export function shellOf(title: string, current: NavEntry | '', desk: Desk) {
  const { events, time, faults, base, access, recording } = desk;
  const counts = countsOf(desk);
  const link = (entry: NavEntry) => ({
    entry,
    ...pages[entry],
    href: base + pathOf(entry),
    current: entry === current,
    ...defined({ count: counts[entry] }),
  });
  const home = { name: '', id: '', links: desk.opened === undefined ? [link('home')] : [] };
  const nav = [
    ...(home.links.length === 0 ? [] : [home]),
    ...groups
      .map(({ name, entries }) => ({ name, entries: entries.filter(entry => hasPage(desk, entry)) }))
      .filter(({ entries }) => entries.length > 0)
      .map(({ name, entries }, index) => ({ name, id: `nav-group-${index}`, links: entries.map(link) })),
  ];
  const unrecorded = !recording && fromRecord.has(current);
  const [armed, file] = [faultChip(faults.armedCount()), fileChip(desk.fileState())];
  const { start, lastId: newest } = events;
  const state = { readonly: access === 'readonly', unrecorded, ...openedOf(desk) };
  return { title, nav, start, newest, armed, file, ...clockOf(time), ...state };
}

function hasPage({ hasLessons, hasPlayground, hasWebhooks, opened }: Desk, entry: NavEntry): boolean {
  if (opened !== undefined) return openedPages.has(entry);
  if (entry === 'lessons') return hasLessons === true;
  if (entry === 'webhooks') return hasWebhooks === true;
  return entry !== 'playground' || hasPlayground === true;
}

/** Lessons and the playground have short addresses outside the dashboard, which a teacher can write on the board. */
function pathOf(entry: NavEntry): string {
  if (entry === 'lessons' || entry === 'playground') return `/${entry}`;
  return entry === 'home' ? '/dashboard' : `/dashboard/${entry}`;
}

/** The banner above each page of a recorded session. */
function openedOf({ opened }: Desk) {
  if (opened === undefined) return {};
  const { file, kind, recordedAt } = opened;
  return { frozen: true, opened: { file, kind, at: momentOf(recordedAt, recordedAt) } };
}

function clockOf(time: SandboxClock) {
  const state = time.state();
  const chip = clockChip(state);
  return { now: state.now, offset: state.offset, frozen: state.frozen, ...defined({ clock: chip }) };
}

/** Pages that show recorded headers and bodies. */
const fromRecord: ReadonlySet<string> = new Set<NavEntry>(['flows', 'problems', 'requests']);

/** The counts beside the entries of the navigation. */
export function countsOf({ events, flows, problems }: Desk): Partial<Record<NavEntry, number>> {
  return {
    tokens: issuedCount(events),
    flows: flows.count(),
    problems: problems.count(),
    requests: events.count('request.completed'),
  };
}
