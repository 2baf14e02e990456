import type { EventLog } from '../base/events/event-log.ts';
import type { FileState } from '../base/events/reload.ts';
import type { Preferences } from '../server/http/preferences.ts';
import { clockChip } from './clock-pages.ts';
import { momentOf } from './moment.ts';
import { type NavEntry, navigationOf } from './navigation.ts';
import type { PageContext } from './page.ts';

/** The frame of every page: navigation with counts, clock, armed faults, state of the file. */
export function shellOf(title: string, current: string, context: PageContext, seen: Preferences) {
  const { events, access, recording } = context;
  const nav = navigationOf(current, countsOf(context), context);
  const chips = chipsOf(context);
  const isToolsOpen = seen.tools || chips.armed !== '' || chips.clock !== '' || nav.tools.some(link => link.current);
  const unrecorded = !recording && fromRecord.has(current);
  const { start, lastId: newest } = events;
  const state = { readonly: access === 'readonly', unrecorded, ...openedOf(context) };
  return { title, nav, isToolsOpen, start, newest, ...seen, ...chips, ...timeOf(context), ...state };
}

/** The banner above each page of a recorded session. */
function openedOf({ opened }: PageContext) {
  if (opened === undefined) return {};
  const { file, recordedAt } = opened;
  return { frozen: true, opened: { file, at: momentOf(recordedAt, recordedAt) } };
}

/** The texts of the chips at the top. A hidden chip has an empty text. */
export function chipsOf({ time, faults, fileState }: PageContext) {
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
export function timeOf({ time }: PageContext) {
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
export function countsOf({ events, flows, problems, faults }: PageContext): Partial<Record<NavEntry, number>> {
  return {
    tokens: issuedCount(events),
    flows: flows.count(),
    problems: problems.count(),
    requests: events.count('request.completed'),
    faults: faults.armedCount(),
  };
}
