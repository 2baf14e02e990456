import type { SandboxClock } from '../clock/sandbox-clock.ts';
import { defined } from '../defined.ts';
import { clockChip } from './clock/clock-words.ts';
import type { Desk } from './desk.ts';
import { faultChip } from './faults/fault-words.ts';
import { groups, type NavEntry } from './nav.ts';
import { fileChip } from './settings/file-view.ts';
import { issuedCount } from './tokens/issued-count.ts';

const words: Readonly<Record<NavEntry, string>> = {
  home: 'Home',
  tokens: 'Tokens',
  flows: 'Flows',
  problems: 'Problems',
  requests: 'Requests',
  report: 'Report',
  decode: 'Decode',
  clients: 'Clients',
  users: 'Users',
  api: 'API',
  keys: 'Keys',
  clock: 'Clock',
  faults: 'Faults',
  connect: 'Connect',
  settings: 'Settings',
};

export interface NavLink {
  readonly entry: NavEntry;
  readonly name: string;
  readonly href: string;
  readonly current: boolean;
  readonly count?: number;
}

/** What surrounds every page. */
export interface Shell {
  readonly title: string;
  readonly nav: readonly { readonly name: string; readonly links: readonly NavLink[] }[];
  /** Whether nothing can be changed here (`DASHBOARD=readonly`). */
  readonly readonly: boolean;
  /** Whether this page would have more to say with `RECORDING=on`. */
  readonly unrecorded: boolean;
  /** Unix seconds at the server, so that the browser's clock does not matter. */
  readonly now: number;
  /** Whole seconds from the real time to that. */
  readonly offset: number;
  /** Whether it stands still. */
  readonly frozen: boolean;
  /** `Clock +2 h`; absent for the real time. */
  readonly clock?: string;
  /** `1 fault armed`; empty for none. */
  readonly armed: string;
  /** `clients.config.ts refused`, until it is mended; empty for none. */
  readonly file: string;
  /** Names the start of the sandbox that rendered this. */
  readonly start: string;
  /** The newest event when this was rendered: the live stream starts after it. */
  readonly newest: number;
}

export function shellOf(title: string, current: NavEntry | '', desk: Desk): Shell {
  const { events, time, faults, base, access, recording } = desk;
  const counts = countsOf(desk);
  const link = (entry: NavEntry): NavLink => ({
    entry,
    name: words[entry],
    href: `${base}/dashboard${entry === 'home' ? '' : `/${entry}`}`,
    current: entry === current,
    ...(counts[entry] === undefined ? {} : { count: counts[entry] }),
  });
  const home = { name: '', links: [link('home')] };
  const nav = [home, ...groups.map(([name, entries]) => ({ name, links: entries.map(link) }))];
  const unrecorded = !recording && fromRecord.has(current);
  const [armed, file] = [faultChip(faults.armedCount()), fileChip(desk.fileState())];
  const { start, lastId: newest } = events;
  return { title, nav, readonly: access === 'readonly', unrecorded, start, newest, armed, file, ...clockOf(time) };
}

function clockOf(time: SandboxClock): Pick<Shell, 'now' | 'offset' | 'frozen' | 'clock'> {
  const state = time.state();
  const chip = clockChip(state);
  return { now: state.now, offset: state.offset, frozen: state.frozen, ...defined({ clock: chip }) };
}

/** Pages that live on headers and bodies. */
const fromRecord: ReadonlySet<string> = new Set<NavEntry>(['flows', 'problems', 'requests']);

/** What the navigation shows beside its entries. */
export function countsOf({ events, flows, problems }: Desk): Partial<Record<NavEntry, number>> {
  return {
    tokens: issuedCount(events),
    flows: flows.count(),
    problems: problems.count(),
    requests: events.count('request.completed'),
  };
}
