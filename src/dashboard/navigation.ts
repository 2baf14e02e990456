import { defined } from '../base/defined.ts';
import type { NavigationEntry, NavigationGroup, PageContext } from './page.ts';

/**
 * The pages of the dashboard. The name is used in the navigation, the title, the heading, the palette and the shortcuts. The key is
 * pressed after `g`. The icon is an SVG path in a square of 16.
 */
export const pages = {
  home: { name: 'Home', key: 'h', icon: 'M2 7l6-5 6 5v7H2z' },
  requests: { name: 'Requests', key: 'r', icon: 'M2 3h12M2 8h12M2 13h8' },
  flows: { name: 'Sign-ins', key: 'f', icon: 'M7 2h6v12H7M2 8h7M6 5l3 3-3 3' },
  tokens: { name: 'Tokens', key: 't', icon: 'M2 8a3 3 0 1 0 6 0a3 3 0 1 0-6 0M8 8h6v3' },
  problems: { name: 'Problems', key: 'p', icon: 'M8 2l7 12H1zM8 6v4m0 2v.5' },
  clients: {
    name: 'Clients',
    key: 'c',
    icon: 'M3 5a3 3 0 1 0 6 0a3 3 0 1 0-6 0M1 14c0-6 10-6 10 0M11 3a2 2 0 0 1 0 4M13 10c1 1 2 2 2 4',
  },
  users: { name: 'Users', key: 'u', icon: 'M5 5a3 3 0 1 0 6 0a3 3 0 1 0-6 0M2 14c1-5 11-5 12 0' },
  scopes: { name: 'Scopes', key: 'q', icon: 'M3 2v12M3 5h6M3 10h10M9 3v4M13 8v4' },
  api: {
    name: 'Sample API',
    key: 'a',
    icon: 'M2 4c0-3 12-3 12 0v8c0 3-12 3-12 0zM2 4c0 3 12 3 12 0M2 8c0 3 12 3 12 0',
  },
  connect: { name: 'Connect an app', key: 'n', icon: 'M6 10l4-4M4 8l-2 2a3 3 0 0 0 4 4l2-2m4-4 2-2a3 3 0 0 0-4-4L8 4' },
  faults: { name: 'Faults', key: 'x', icon: 'M9 1 3 9h4l-1 6 6-8H8z' },
  clock: { name: 'Clock', key: 'l', icon: 'M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0M8 5v3l2 2' },
  decode: { name: 'Decode', key: 'd', icon: 'M5 4 1 8l4 4m6-8 4 4-4 4' },
  keys: { name: 'Signing keys', key: 'k', icon: 'M3 7h10v7H3zM5 7V4a3 3 0 0 1 6 0v3' },
  settings: { name: 'Settings', key: 's', icon: 'M2 4h5m4 0h3M9 2v4M2 12h3m4 0h5M7 10v4' },
} as const;
export type NavEntry = keyof typeof pages;

interface Group {
  readonly name: NavigationGroup;
  /** Pages of the core. Those of extensions follow them. */
  readonly tabs: readonly NavEntry[];
  /** Belongs to the entry, and other pages lead to it. */
  readonly besides?: NavEntry;
}

/** The entries of the navigation. An entry leads to its first page, and all its pages have the others as tabs. */
const groups: readonly Group[] = [
  { name: 'Home', tabs: ['home'] },
  { name: 'Requests', tabs: ['requests'] },
  { name: 'Sign-ins', tabs: ['flows', 'tokens'] },
  { name: 'Problems', tabs: ['problems'] },
  { name: 'Clients & users', tabs: ['clients', 'users', 'scopes', 'api'], besides: 'connect' },
  { name: 'Learn', tabs: [] },
];

/** Pages that are needed less often. The pages of extensions stand between the two. */
const tools = { first: ['faults', 'clock', 'decode'], last: ['keys', 'settings'] } as const;

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

type Counts = Partial<Record<NavEntry, number>>;

export interface NavLink extends Omit<NavigationEntry, 'group'> {
  /** The last segment of the path. */
  readonly entry: string;
  readonly href: string;
  readonly current: boolean;
  readonly count?: number;
}

/** The entries, the tabs of this page, the tools, and each page with its key. */
export function navigationOf(current: string, counts: Counts, context: Pick<PageContext, 'added' | 'base' | 'opened'>) {
  const { added, base, opened } = context;
  const linksOf = (entries: readonly NavEntry[]) =>
    entries
      .filter(entry => opened === undefined || recordPages.has(entry))
      .map(
        (entry): NavLink => ({
          entry,
          ...pages[entry],
          href: `${base}/dashboard${entry === 'home' ? '' : `/${entry}`}`,
          current: entry === current,
          ...defined({ count: counts[entry] }),
        }),
      );
  const addedTo = (group: NavigationGroup) =>
    added.flatMap(({ path, entry: own }): readonly NavLink[] => {
      if (own?.group !== group) return [];
      const entry = path.slice(path.lastIndexOf('/') + 1);
      return [{ entry, ...own, href: base + path, current: entry === current }];
    });
  const all = groups.map(({ name, tabs, besides }) => ({
    name,
    links: [...linksOf(tabs), ...addedTo(name)],
    others: besides === undefined ? [] : linksOf([besides]),
  }));
  const toolLinks = [...linksOf(tools.first), ...addedTo('Tools'), ...linksOf(tools.last)];
  const entries = all.flatMap(group => entryOf(group));
  const here = all.find(({ links, others }) => [...links, ...others].some(link => link.current));
  return {
    entries,
    tabs: here !== undefined && here.links.length > 1 ? here : undefined,
    tools: toolLinks,
    keys: [...all.flatMap(({ links, others }) => [...links, ...others]), ...toolLinks],
  };
}

/** `Clients & users` is `Clients` where there is no room for more. */
function entryOf({ name, links, others }: { name: string; links: readonly NavLink[]; others: readonly NavLink[] }) {
  const [first] = links;
  if (first === undefined) return [];
  const [short = name] = name.split(' & ');
  const current = [...links, ...others].some(link => link.current);
  return [{ ...first, name: short, rest: name.slice(short.length), current }];
}
