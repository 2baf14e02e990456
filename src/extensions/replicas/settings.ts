import { checkedText, filePath, visibleText, wholeNumber } from '../../sandbox/config/formats.ts';
import { type ConfigProblem, show } from '../../sandbox/config/problem.ts';
import { setting } from '../../sandbox/config/setting.ts';
import { readOwn, readRow, type SettingSources } from '../../sandbox/config/setting-values.ts';
import { isUri } from '../../sandbox/config/uri.ts';

/** The schemes of an engine: the names of Redis and those of Valkey, plain and with TLS. */
const schemes = ['redis:', 'rediss:', 'valkey:', 'valkeys:'];

const engineUrl = checkedText('URL', 'a redis, rediss, valkey or valkeys URL', url => {
  const example = 'such as valkey://user:password@host:6379/0';
  if (!isUri(url) || !schemes.includes(new URL(url).protocol))
    return `a redis, rediss, valkey or valkeys URL ${example}`;
  const { hostname, pathname, search, hash } = new URL(url);
  if (hostname === '') return `a URL with a host ${example}`;
  if (!/^(?:\/\d{0,3})?$/.test(pathname)) return 'a URL whose path is the number of the database, such as /0';
  return search === '' && hash === '' ? undefined : 'a URL without query and fragment';
});

/** Where the state of the sandbox is, if not in this process alone. */
export const replicaSettings = {
  /**
   * The engine (Valkey 7.2, Redis 6.2 or newer) that all replicas of this sandbox share. Default: none, everything is in this
   * process.
   */
  storeUrl: setting(
    engineUrl,
    undefined,
    'Valkey or Redis that all replicas of this sandbox share; without it the state is in this process',
    { secret: true, defaultText: 'none', isWhole: true },
  ),
  /** Begins each key in the engine, so that several sandboxes can share it. Default `grantbox`. */
  storePrefix: setting(
    visibleText,
    'grantbox',
    'Begins each key in the shared store, so that several sandboxes can use one engine',
    { isWhole: true },
  ),
  /** PEM file with the CA that signed the certificate of the engine. Default: the CAs of Node. */
  storeCa: setting(
    filePath,
    undefined,
    'PEM file with the CA that signed the certificate of the shared store (rediss://, valkeys://)',
    { defaultText: 'the CAs of Node', isWhole: true },
  ),
  /** Replicas of the engine that must have each single-use write before it counts. Default 0. */
  storeWait: setting(
    wholeNumber(0, 10),
    0,
    'Replicas of the engine that must have a write of a code or another single-use value before it counts (WAIT)',
    { isWhole: true },
  ),
};

declare module '../../sandbox/config/extension-tables.ts' {
  interface ExtensionTables {
    readonly replicas: typeof replicaSettings;
  }
}

/** Settings that keep something in this process, together with a store that replicas share. */
export function replicaProblems(sources: SettingSources): readonly ConfigProblem[] {
  if (readOwn(replicaSettings, 'storeUrl', sources).value === undefined) return [];
  return sources.table.flatMap(row => {
    const { value, source = '' } = readRow(row, sources);
    if (row.notShared === undefined || value === undefined) return [];
    return [{ source, value: show(value), expected: `no ${row.env} together with STORE_URL: ${row.notShared}` }];
  });
}
