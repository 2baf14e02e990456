import { defined } from '../base/defined.ts';
import type { EventLog } from '../base/events/event-log.ts';
import type { FileState } from '../base/events/reload.ts';
import { clockChip } from './clock-pages.ts';
import type { Desk } from './desk.ts';
import { momentOf } from './moment.ts';
import { groupsWith, type NavEntry, pages, recordPages } from './nav.ts';

/** The frame of every page: navigation with counts, clock, armed faults, state of the file. */
export function shellOf(title: string, current: string, desk: Desk) {
  const { events, base, access, recording } = desk;
  const counts = countsOf(desk);
  const link = (entry: NavEntry) => ({
    entry,
    ...pages[entry],
    href: base + pathOf(entry),
    current: entry === current,
    ...defined({ count: counts[entry] }),
  });
  const added = (group: string) =>
    desk.added.flatMap(({ path, entry: own }) => {
      if (own?.group !== group) return [];
      const entry = path.slice(path.lastIndexOf('/') + 1);
      return [{ entry, ...own, href: base + path, current: entry === current }];
    });
  const nav = [
    ...(desk.opened === undefined ? [{ name: '', id: '', links: [link('home')] }] : []),
    ...groupsWith(desk.added.flatMap(({ entry }) => entry?.group ?? []))
      .map(({ name, entries }) => ({
        name,
        links: [...entries.filter(entry => hasPage(desk, entry)).map(link), ...added(name)],
      }))
      .filter(({ links }) => links.length > 0)
      .map((group, index) => ({ ...group, id: `nav-group-${index}` })),
  ];
  const unrecorded = !recording && fromRecord.has(current);
  const { start, lastId: newest } = events;
  const state = { readonly: access === 'readonly', unrecorded, ...openedOf(desk) };
  return { title, nav, start, newest, ...chipsOf(desk), ...timeOf(desk), ...state };
}

function hasPage({ opened }: Desk, entry: NavEntry): boolean {
  return opened === undefined || recordPages.has(entry);
}

function pathOf(entry: NavEntry): string {
  return entry === 'home' ? '/dashboard' : `/dashboard/${entry}`;
}

/** The banner above each page of a recorded session. */
function openedOf({ opened }: Desk) {
  if (opened === undefined) return {};
  const { file, recordedAt } = opened;
  return { frozen: true, opened: { file, at: momentOf(recordedAt, recordedAt) } };
}

/** The texts of the chips at the top. A hidden chip has an empty text. */
export function chipsOf({ time, faults, fileState }: Desk) {
  return { clock: clockChip(time.state()), armed: faultChip(faults.armedCount()), file: fileChip(fileState()) };
}

/** Shown in the top bar: `1 fault armed`; empty for none. */
function faultChip(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '1 fault armed' : `${count} faults armed`;
}

/** Shown in the top bar until the file is corrected: `clients.config.ts refused`; empty for none. */
function fileChip({ refused }: FileState): string {
  return refused === undefined ? '' : `${refused.file} refused`;
}

/** The clock for the scripts of a page, which count on from it after a move. */
export function timeOf({ time }: Desk) {
  const { now, offset, frozen } = time.state();
  return { now, offset, frozen };
}

/** Pages that show recorded headers and bodies. */
const fromRecord: ReadonlySet<string> = new Set<NavEntry>(['flows', 'problems', 'requests']);

/** Number of codes and tokens issued since the start. */
export function issuedCount(events: EventLog): number {
  return events.count('token.issued') + events.count('code.issued');
}

/** The counts beside the entries of the navigation. */
export function countsOf({ events, flows, problems }: Desk): Partial<Record<NavEntry, number>> {
  return {
    tokens: issuedCount(events),
    flows: flows.count(),
    problems: problems.count(),
    requests: events.count('request.completed'),
  };
}
