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

/** The configuration of a running sandbox, and how to replace it. */
export interface Reloading {
  /** The configuration for issuers created at run time. */
  readonly derive: Config['derive'];
  /**
   * Reloads run one after the other. Without `source`, the file of the start is read.
   * @throws ConfigError if the configuration has problems: then nothing has changed; NothingToRead if there is no file
   */
  reload(by: ReloadedBy, source?: ReadAgain): Promise<Reloaded>;
  /** The number of reloads that somebody asked for by a call or a signal. */
  count(): number;
  /** Reads the file again because another replica did. */
  follow(): Promise<void>;
  /** Starts to watch the file, if the setting `watch` is on. */
  watch(): void;
  close(): void;
}

/** The first reload loads its module. The file watcher is loaded only if there is a file. */
export function createReloading({ config, first, others, log }: ReloadingParts): Reloading {
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
    async derive(name, content, isAlone) {
      const { tls: _, ...derived } = await current.derive(name, content, isAlone);
      return config.tls === undefined ? derived : { ...derived, tls: config.tls }; // with the scheme of the socket
    },
    reload,
    count: () => asked,
    follow: () => reload('file').then(ignored, ignored),
    watch() {
      // not during a reload; the sandbox also runs without a watcher
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

/** A faulty configuration was already logged, and there may be no file. */
function ignored(): void {}
