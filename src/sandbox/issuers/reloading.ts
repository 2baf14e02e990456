import type { ConfigurationChanges, ReloadedBy } from '../../base/events/configuration-events.ts';
import type { RequestLog } from '../../server/http/log/request-log.ts';
import type { Config } from '../config/config.ts';
import { ConfigError, formatProblem } from '../config/problem.ts';
import { NothingToRead, type Reloaded } from '../control/reload/reloaded.ts';
import type { Issuer } from '../extension.ts';

/** Parts that a reload of the configuration needs. */
export interface ReloadingParts extends Pick<ReloadAllParts, 'first' | 'others'> {
  readonly config: Config;
  readonly log: RequestLog;
}

export type Reloading = ReturnType<typeof createReloading>;

/** The configuration of a running sandbox, and how to replace it. The first reload loads its module. */
export function createReloading({ config, first, others, log }: ReloadingParts) {
  let current: Config = config;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let asked = 0;
  let stopWatching: (() => void) | undefined;

  async function reloadNow(by: ReloadedBy, source: ReadAgain | undefined): Promise<Reloaded> {
    const { reloaded, used } = await reloadAll({ current, first, others }, by, source);
    current = used;
    if (by !== 'file') asked++;
    await watchIfWanted();
    return reloaded;
  }
  /**
   * Reloads run one after the other. Without `source`, the file of the start is read.
   * @throws ConfigError if the configuration has problems: then nothing has changed; NothingToRead if there is no file
   */
  function reload(by: ReloadedBy, source?: ReadAgain): Promise<Reloaded> {
    const reloading = last.then(() => reloadNow(by, source));
    last = reloading.catch(() => {});
    return reloading;
  }
  async function watchIfWanted(): Promise<void> {
    const { file } = current;
    if (file === undefined || isClosed) return;
    if (!current.watch) {
      stopWatching?.();
      stopWatching = undefined;
    } else if (stopWatching === undefined) {
      stopWatching = watchFile(
        file.look,
        file.mark,
        () => void reload('file').catch(error => tellUnexpected(log, error)),
      );
      if (isClosed) stopWatching();
    }
  }
  return {
    /** The configuration for issuers created at run time. */
    async derive(...given: Parameters<Config['derive']>) {
      const { tls: _, ...derived } = await current.derive(...given);
      return config.tls === undefined ? derived : { ...derived, tls: config.tls }; // with the scheme of the socket
    },
    reload,
    /** The number of reloads that somebody asked for by a call or a signal. */
    count: () => asked,
    /** Reads the file again because another replica did. */
    follow: () => reload('file').then(ignored, ignored),
    /** Starts to watch the file, if the setting `watch` is on. */
    watch(): void {
      // not during a reload; the sandbox also runs without a watcher
      last = last.then(watchIfWanted).catch(error => tellUnexpected(log, error));
    },
    close(): void {
      isClosed = true;
      stopWatching?.();
    },
  };
}

/** An invalid configuration was already logged. */
function tellUnexpected(log: RequestLog, error: unknown): void {
  if (!(error instanceof Error && error.name === 'ConfigError')) log.error(error, 'sandbox');
}

/** An invalid configuration was already logged, and there may be no file. */
function ignored(): void {}

/**
 * Milliseconds between two looks at a file. File system notices do not pass a bind mount of Docker Desktop, and stop
 * when an editor or a ConfigMap of Kubernetes replaces the file.
 */
const interval = 250;

/**
 * Calls `changed` once a look at a file differs from `seen` and equals the look before, so that a half-written file is not read. The
 * file need not exist. Returns a function that stops the watch.
 */
function watchFile(look: () => string, seen: string, changed: () => void): () => void {
  let told = seen;
  let last = seen;
  const timer = setInterval(() => {
    const now = look();
    const isNew = now !== told && now === last;
    last = now;
    if (!isNew) return;
    told = now;
    changed();
  }, interval).unref();
  return () => clearInterval(timer);
}

/** The source of a new configuration. */
export interface ReadAgain {
  /** Its name in the log and in problems. */
  readonly name: string;
  /** @throws ConfigError listing every problem */
  read(): Promise<Config>;
}

type Running = Pick<Issuer, 'reload' | 'tell'>;

interface ReloadAllParts {
  /** The configuration that was read last. */
  readonly current: Config;
  readonly first: Running;
  /** The further issuers, by path. */
  readonly others: ReadonlyMap<string, Running>;
}

/** Reads the configuration again for every issuer. A configuration with problems is used for none of them. */
async function reloadAll(
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
