import type { Config } from '../config/config.ts';
import { createIssuer, type Issuer, type IssuerExtras, type Shared } from './issuer.ts';
import { type Lazy, lazily } from './lazily.ts';
import { loadLessons } from './lessons.ts';
import { createReloading, type Reloading } from './reload/reloading.ts';
import type { Reporting } from './report/reporting.ts';
import type { RunningShortLived } from './short-lived.ts';

/** Parts to create the issuers of a sandbox from. */
export interface IssuersParts extends Pick<IssuerExtras, 'begunKeys'> {
  readonly config: Config;
  /** Where it listens. */
  readonly url: string;
  readonly shared: Shared;
  readonly reports: Reporting;
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
  readonly reloading: Reloading;
}

/** Creates all configured issuers of a sandbox. */
export function createIssuers({ config, url, shared, reports, begunKeys }: IssuersParts): Issuers {
  const paths = new Map<string, Issuer['listener']>();
  const shortLived = lazily(async () => {
    const { createShortLived } = await import('./short-lived.ts');
    return createShortLived({ derive: reloading.derive, first, shared, paths, reports });
  });
  const first = createIssuer(config, config.issuer ?? url, shared, {
    begunKeys,
    issuers: shortLived.get,
    lessons: config.lessons ? lazily(() => loadLessons({ first: () => first, shortLived })) : undefined,
    reload: by => reloading.reload(by),
  });
  const others = issuersBeside(first, config, shared);
  for (const [path, { listener }] of others) paths.set(path, listener);
  const reloading = createReloading({ config, first, others, log: shared.log });
  return { first, others, all: [first, ...others.values()], paths, shortLived, reloading };
}

/** By path. */
function issuersBeside({ issuer }: Issuer, { issuers }: Config, shared: Shared): ReadonlyMap<string, Issuer> {
  const { origin } = new URL(issuer);
  return new Map(issuers.map(({ path, config }) => [path, createIssuer(config, origin + path, shared)]));
}
