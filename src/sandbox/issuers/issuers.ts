import { type Lazy, lazily } from '../../base/lazily.ts';
import type { Config } from '../config/config.ts';
import { createIssuer, type IssuerExtras } from '../create-issuer.ts';
import type { Issuer, SandboxParts } from '../extension.ts';
import type { LoadedPresets } from '../presets.ts';
import { createReloading, type Reloading } from './reloading.ts';
import type { RunningShortLived, ShortLivedParts } from './short-lived.ts';

/** Parts to create the issuers of a sandbox from. */
export interface IssuersParts extends Pick<IssuerExtras, 'begunKeys'> {
  readonly config: Config;
  /** Where it listens. */
  readonly url: string;
  readonly shared: SandboxParts;
  /** Absent where no issuer chose one. */
  readonly presets?: LoadedPresets;
}

/** All issuers of a sandbox: the first, the further configured ones, and those created at run time. */
export interface Issuers {
  readonly first: Issuer;
  /** The further configured issuers, by path. */
  readonly others: ReadonlyMap<string, Issuer>;
  /** The first and the further configured issuers. */
  readonly all: readonly Issuer[];
  /** The listeners by path. Issuers come and go. */
  readonly paths: ReadonlyMap<string, Issuer['listener']>;
  readonly shortLived: Lazy<RunningShortLived>;
  /** Parts to make issuers from at run time. */
  readonly shortLivedParts: ShortLivedParts;
  readonly reloading: Reloading;
}

/** Creates all configured issuers of a sandbox. */
export function createIssuers({ config, url, shared, presets, begunKeys }: IssuersParts): Issuers {
  const paths = new Map<string, Issuer['listener']>();
  const shortLived = lazily(async () => {
    const { createShortLived } = await import('./short-lived.ts');
    return createShortLived(shortLivedParts);
  });
  const preset = presets?.get(config);
  const identifier = config.issuer ?? url;
  const address = identifier.replace(/\/$/, '');
  const issuer = preset?.issuerAt(address) ?? address;
  const first = createIssuer(config, issuer, shared, {
    begunKeys,
    identifier,
    preset,
    first: { config, issuers: shortLived.get, reload: by => reloading.reload(by) },
  });
  const others = issuersBeside(first, config, shared, presets);
  for (const [path, { listener }] of others) paths.set(path, listener);
  for (const each of [first, ...others.values()]) each.preset?.takePaths(paths, each);
  const reloading = createReloading({ config, first, others, log: shared.log });
  const shortLivedParts = { derive: reloading.derive, first, shared, paths };
  return {
    first,
    others,
    shortLivedParts,
    all: [first, ...others.values()],
    paths,
    shortLived,
    reloading,
  };
}

/** By path. */
function issuersBeside(
  { server }: Issuer,
  { issuers }: Config,
  shared: SandboxParts,
  presets: LoadedPresets | undefined,
): ReadonlyMap<string, Issuer> {
  const { origin } = new URL(server.issuer);
  return new Map(
    issuers.map(({ path, config }) => {
      const preset = presets?.get(config);
      const address = origin + path;
      return [path, createIssuer(config, preset?.issuerAt(address) ?? address, shared, { preset })];
    }),
  );
}
