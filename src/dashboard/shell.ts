import { defined } from '../base/defined.ts';
import type { EventLog } from '../base/events/event-log.ts';
import type { FileState } from '../base/events/reload.ts';
import { clockChip } from './clock-pages.ts';
import { momentOf } from './moment.ts';
import type { PageContext } from './page.ts';

/** The frame of every page: navigation with counts, clock, armed faults, state of the file. */
export function shellOf(title: string, current: string, context: PageContext) {
  const { events, base, access, recording } = context;
  const counts = countsOf(context);
  const link = (entry: NavEntry) => ({
    entry,
    ...pages[entry],
    href: base + pathOf(entry),
    current: entry === current,
    ...defined({ count: counts[entry] }),
  });
  const added = (group: string) =>
    context.added.flatMap(({ path, entry: own }) => {
      if (own?.group !== group) return [];
      const entry = path.slice(path.lastIndexOf('/') + 1);
      return [{ entry, ...own, href: base + path, current: entry === current }];
    });
  const nav = [
    ...(context.opened === undefined ? [{ name: '', id: '', links: [link('home')] }] : []),
    ...groupsWith(context.added.flatMap(({ entry }) => entry?.group ?? []))
      .map(({ name, entries }) => ({
        name,
        links: [...entries.filter(entry => hasPage(context, entry)).map(link), ...added(name)],
      }))
      .filter(({ links }) => links.length > 0)
      .map((group, index) => ({ ...group, id: `nav-group-${index}` })),
  ];
  const unrecorded = !recording && fromRecord.has(current);
  const { start, lastId: newest } = events;
  const state = { readonly: access === 'readonly', unrecorded, ...openedOf(context) };
  return { title, nav, start, newest, ...chipsOf(context), ...timeOf(context), ...state };
}

function hasPage({ opened }: PageContext, entry: NavEntry): boolean {
  return opened === undefined || recordPages.has(entry);
}

function pathOf(entry: NavEntry): string {
  return entry === 'home' ? '/dashboard' : `/dashboard/${entry}`;
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
export function countsOf({ events, flows, problems }: PageContext): Partial<Record<NavEntry, number>> {
  return {
    tokens: issuedCount(events),
    flows: flows.count(),
    problems: problems.count(),
    requests: events.count('request.completed'),
  };
}

/**
 * The pages of the dashboard. The name is used in the navigation, the title, the heading, the palette and the shortcuts. The key is
 * pressed after `g`. The icon is an SVG path in a square of 16.
 */
export const pages = {
  home: { name: 'Home', key: 'h', icon: 'M2 7l6-5 6 5v7H2z' },
  flows: { name: 'Flows', key: 'f', icon: 'M2 4h11m-3-3 3 3-3 3M14 12H3m3-3-3 3 3 3' },
  tokens: { name: 'Tokens', key: 't', icon: 'M2 8a3 3 0 1 0 6 0a3 3 0 1 0-6 0M8 8h6v3' },
  problems: { name: 'Problems', key: 'p', icon: 'M8 2l7 12H1zM8 6v4m0 2v.5' },
  requests: { name: 'Requests', key: 'r', icon: 'M2 3h12M2 8h12M2 13h8' },
  decode: { name: 'Decode', key: 'd', icon: 'M5 4 1 8l4 4m6-8 4 4-4 4' },
  faults: { name: 'Faults', key: 'x', icon: 'M9 1 3 9h4l-1 6 6-8H8z' },
  clock: { name: 'Clock', key: 'l', icon: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0M8 5v3l2 2' },
  connect: { name: 'Connect an app', key: 'n', icon: 'M6 10l4-4M4 8l-2 2a3 3 0 0 0 4 4l2-2m4-4 2-2a3 3 0 0 0-4-4L8 4' },
  clients: { name: 'Clients', key: 'c', icon: 'M2 3h12v10H2zM2 6h12' },
  users: { name: 'Users', key: 'u', icon: 'M5 5a3 3 0 1 0 6 0a3 3 0 1 0-6 0M2 14c1-5 11-5 12 0' },
  api: {
    name: 'Sample API',
    key: 'a',
    icon: 'M2 4c0-3 12-3 12 0v8c0 3-12 3-12 0zM2 4c0 3 12 3 12 0M2 8c0 3 12 3 12 0',
  },
  keys: { name: 'Signing keys', key: 'k', icon: 'M3 7h10v7H3zM5 7V4a3 3 0 0 1 6 0v3' },
  settings: { name: 'Settings', key: 's', icon: 'M2 4h5m4 0h3M9 2v4M2 12h3m4 0h5M7 10v4' },
} as const;
type NavEntry = keyof typeof pages;

interface NavGroup {
  readonly name: string;
  readonly entries: readonly NavEntry[];
}

/** The groups of the navigation below Home, each with the pages of the core; those of extensions follow them. */
const groups: readonly NavGroup[] = [
  { name: 'Observe', entries: ['flows', 'tokens', 'problems', 'requests', 'decode'] },
  { name: 'Control', entries: ['faults', 'clock'] },
  { name: 'Set up', entries: ['connect', 'clients', 'users', 'api', 'keys', 'settings'] },
];

/** The same with the groups that only extensions have pages in. What sets up a sandbox comes last. */
function groupsWith(named: readonly string[]): readonly NavGroup[] {
  const added = [...new Set(named)].filter(name => groups.every(group => group.name !== name));
  return [...groups.slice(0, -1), ...added.map(name => ({ name, entries: [] })), ...groups.slice(-1)];
}

/** The pages of a recorded session. Clients and users are those of the file. */
const recordPages: ReadonlySet<string> = new Set<NavEntry>([
  'flows',
  'tokens',
  'problems',
  'requests',
  'decode',
  'clients',
  'users',
]);
