import type { ReloadedBy } from '../../base/events/configuration-events.ts';
import type { RequestLog } from '../../server/http/log/request-log.ts';
import type { Config } from '../config/config.ts';
import type { Reloaded } from '../control/reload/reloaded.ts';
import type { ReadAgain, ReloadAllParts } from './reload-all.ts';
import { watchFile } from './watch-file.ts';

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
    const { reloadAll } = await import('./reload-all.ts');
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

/** A faulty configuration was already logged. */
function tellUnexpected(log: RequestLog, error: unknown): void {
  if (!(error instanceof Error && error.name === 'ConfigError')) log.error(error, 'sandbox');
}

/** A faulty configuration was already logged, and there may be no file. */
function ignored(): void {}
