import type { ConfigurationChanges, ReloadedBy } from '../../base/events/configuration-events.ts';
import type { Config } from '../config/config.ts';
import { ConfigError, formatProblem } from '../config/problem.ts';
import { NothingToRead, type Reloaded } from '../control/reload/reloaded.ts';
import type { Issuer } from '../extension.ts';

/** The source of a new configuration. */
export interface ReadAgain {
  /** Its name in the log and in problems. */
  readonly name: string;
  /** @throws ConfigError listing every problem */
  read(): Promise<Config>;
}

type Running = Pick<Issuer, 'reload' | 'tell'>;

export interface ReloadAllParts {
  /** The configuration that was read last. */
  readonly current: Config;
  readonly first: Running;
  /** The further issuers, by path. */
  readonly others: ReadonlyMap<string, Running>;
}

/** Reads the configuration again for every issuer. A configuration with problems is used for none of them. */
export async function reloadAll(
  { current, first, others }: ReloadAllParts,
  by: ReloadedBy,
  source: ReadAgain | undefined = fileOf(current),
): Promise<{ readonly reloaded: Reloaded; readonly used: Config }> {
  const told = { file: source.name, by };
  const all: readonly (readonly [path: string, issuer: Running])[] = [['', first], ...others];
  const next = await source.read().catch(error => {
    if (error instanceof ConfigError) tellRefused(all, { ...told, problems: error.problems.map(formatProblem) });
    throw error;
  });
  const changes = await first.reload(next);
  const whole = { ...changes, atNextStart: [...changes.atNextStart, ...issuersAtNextStart(others, next)] };
  tellReloaded(first, { ...told, ...whole });
  const issuers: Record<string, ConfigurationChanges> = {};
  for (const { path, config } of next.issuers) {
    const running = others.get(path);
    if (running === undefined) continue;
    const own = await running.reload(config);
    tellReloaded(running, { ...told, path, ...own });
    issuers[path.slice(1)] = own;
  }
  return { reloaded: { file: source.name, ...whole, issuers }, used: next };
}

/** @throws NothingToRead */
function fileOf({ configFile, file }: Config): ReadAgain {
  if (file !== undefined) return { name: configFile ?? file.path, read: file.read };
  throw new NothingToRead('the sandbox started without a configuration file, so it has no file to reload');
}

interface Refused {
  readonly file: string;
  readonly by: ReloadedBy;
  readonly problems: readonly string[];
}

/** Each issuer has a dashboard, so each log gets the event. */
function tellRefused(all: readonly (readonly [path: string, issuer: Running])[], refused: Refused): void {
  for (const [path, issuer] of all) {
    issuer.tell({ type: 'configuration.refused', ...refused, ...(path === '' ? {} : { path }) });
  }
}

function tellReloaded(
  issuer: Running,
  told: ConfigurationChanges & { readonly file: string; readonly by: ReloadedBy; readonly path?: string },
): void {
  issuer.tell({ type: 'configuration.reloaded', ...told });
}

/** Issuers get their paths at the start; one that is no longer configured keeps running. */
function issuersAtNextStart(others: ReloadAllParts['others'], { issuers }: Config) {
  const [from, to] = [[...others.keys()], issuers.map(({ path }) => path)];
  const isSame = from.length === to.length && from.every(path => to.includes(path));
  return isSame ? [] : [{ name: 'issuers', from: from.join(' ') || 'none', to: to.join(' ') || 'none' }];
}
