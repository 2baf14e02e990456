import type { Config } from '../../config/config.ts';
import type { Reloaded } from '../../control/reload/reloaded.ts';
import type { ReloadedBy } from '../../events/configuration-events.ts';
import type { RequestLog } from '../../http/log/request-log.ts';
import type { ReadAgain, ReloadAllParts } from './reload-all.ts';
import { watchFile } from './watch-file.ts';

/** Parts that a reload of the configuration needs. */
export interface ReloadingParts extends Pick<ReloadAllParts, 'first' | 'others'> {
  readonly config: Config;
  readonly log: RequestLog;
}

/** The configuration of a sandbox that runs, and how another one takes its place. */
export interface Reloading {
  /** For what is made at run time. */
  readonly derive: Config['derive'];
  /**
   * One after the other; without `source`, the file that was read at the start.
   * @throws ConfigError where the configuration has problems: nothing is changed then; NothingToRead where there is no file
   */
  reload(by: ReloadedBy, source?: ReadAgain): Promise<Reloaded>;
  /** Begins to look for changes of the file, where that is wanted. */
  watch(): void;
  close(): void;
}

/** The first reload loads the module that does it; the file watcher is loaded only where there is a file. */
export function createReloading({ config, first, others, log }: ReloadingParts): Reloading {
  let current: Config = config;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let stopWatching: (() => void) | undefined;

  async function reloadNow(by: ReloadedBy, source: ReadAgain | undefined): Promise<Reloaded> {
    const { reloadAll } = await import('./reload-all.ts');
    const { reloaded, used } = await reloadAll({ current, first, others }, by, source);
    current = used;
    await watchIfWanted();
    return reloaded;
  }
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
        file.path,
        file.mark,
        () => void reload('file').catch(error => tellUnexpected(log, error)),
      );
      if (isClosed) stopWatching();
    }
  }
  return {
    async derive(name, content) {
      const { tls: _, ...derived } = await current.derive(name, content);
      return config.tls === undefined ? derived : { ...derived, tls: config.tls }; // as the socket speaks
    },
    reload,
    watch() {
      // not at the same time as what is reloaded; without it the sandbox runs all the same
      last = last.then(watchIfWanted).catch(error => tellUnexpected(log, error));
    },
    close() {
      isClosed = true;
      stopWatching?.();
    },
  };
}

/** A faulty configuration was already logged. */
function tellUnexpected(log: RequestLog, error: unknown): void {
  if (!(error instanceof Error && error.name === 'ConfigError')) log.error(error, 'sandbox');
}
