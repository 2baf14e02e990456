import type { SandboxConfig } from '../../sandbox/config/sandbox-config.ts';
import type { Import } from './read-imports.ts';

/** Imports by their place in a sandbox. */
interface Arranged {
  /** They add to the sandbox's own issuer. */
  readonly own: readonly Import[];
  /** Each is an issuer of its own, at a path without the leading slash. */
  readonly beside: readonly { readonly path: string; readonly each: Import }[];
}

/**
 * One realm becomes the sandbox's own issuer, unless that one has a provider already; of several each becomes an issuer beside
 * it. `base` is the path of the sandbox's own issuer.
 */
export function arranged(
  imports: readonly Import[],
  { hasPreset = false, base = '' }: { readonly hasPreset?: boolean; readonly base?: string } = {},
): Arranged {
  const isAlone = imports.filter(isRealm).length === 1 && !hasPreset;
  const isOwn = (each: Import) => !isRealm(each) || isAlone;
  const own = imports.filter(isOwn);
  return {
    own: hasPreset || isAlone ? own.map(withoutAnyIssuer) : own,
    beside: imports
      .filter(each => !isOwn(each))
      .map(each => ({ path: `${base}/realms/${realmOf(each.config)}`.replace(/^\//, ''), each })),
  };
}

function withoutAnyIssuer(each: Import): Import {
  const { anyIssuer, ...config } = each.config;
  if (anyIssuer === undefined) return each;
  return {
    ...each,
    config,
    notes: [...each.notes, 'ISSUERS=any is left out: a preset decides the path of its issuer'],
  };
}

function isRealm({ config }: Import): boolean {
  return config.preset !== undefined;
}

function realmOf({ preset }: SandboxConfig): string {
  return typeof preset === 'object' ? (preset.realm ?? '') : '';
}

/** One configuration of all imports, and the imports as they are in it. */
export function joined(all: readonly Import[]): {
  readonly config: SandboxConfig;
  readonly imports: readonly Import[];
} {
  const { own, beside } = arranged(all);
  const imports = [...own, ...beside.map(({ each }) => each)];
  const whole = own.map(({ config }) => config).reduce<SandboxConfig>(added, {});
  const issuers = Object.fromEntries(beside.map(({ path, each }) => [path, each.config]));
  return { imports, config: beside.length === 0 ? whole : { ...whole, issuers: { ...whole.issuers, ...issuers } } };
}

function added(before: SandboxConfig, next: SandboxConfig): SandboxConfig {
  const lists = (['clients', 'users'] as const).flatMap(name => {
    const all = [...(before[name] ?? []), ...(next[name] ?? [])];
    return all.length === 0 ? [] : [[name, all] as const];
  });
  const records = (['scopes', 'issuers'] as const).flatMap(name => {
    const all = { ...before[name], ...next[name] };
    return Object.keys(all).length === 0 ? [] : [[name, all] as const];
  });
  return { ...before, ...next, ...Object.fromEntries<unknown>([...lists, ...records]) };
}
