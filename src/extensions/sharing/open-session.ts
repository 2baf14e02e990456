import { ConfigError, type LoadedConfig, loadConfig } from '../../sandbox/config/load-config.ts';
import type { Modules } from '../../sandbox/extension.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { openedSession } from './opened-session.ts';
import { readSession } from './read-session.ts';
import { type RecordedSetup, setupConfig } from './setup-config.ts';

/** The file to show, and where. */
export interface OpenOptions {
  /** As typed. */
  readonly name: string;
  readonly path: string;
  /** 0: a free port. */
  readonly port: number;
  readonly modules: Modules;
}

/** A recorded session that a server shows until it is stopped. */
export interface Opened {
  /** The address of the first page. */
  readonly url: string;
  /** Sentences about what the file lacks. */
  readonly notes: readonly string[];
  readonly issuer: string;
  readonly counts: Readonly<Record<'flows' | 'problems' | 'requests', number>>;
  stop(): Promise<void>;
}

/**
 * Starts a read-only dashboard for the session in a file, on a loopback address.
 * @throws CommandFailure if the file is no session; ListenError if the port is taken
 */
export async function openSession({ name, path, port, modules }: OpenOptions): Promise<Opened> {
  const session = readSession(name, path);
  const { config, notes } = await configOf(port, session.setup, modules);
  const shown = openedSession(name, session);
  const now = () => session.exportedAt;
  const sandbox = await startSandbox(config, { now, opened: shown.opened });
  const { flows, problems } = shown.record;
  return {
    url: `${sandbox.url}/dashboard/flows`,
    notes,
    issuer: session.issuer,
    counts: { flows: flows.count(), problems: problems.count(), requests: session.requests.length },
    stop: sandbox.stop,
  };
}

/** The clients and users of the file are shown, too. */
async function configOf(
  port: number,
  setup: RecordedSetup | undefined,
  modules: Modules,
): Promise<{ readonly config: LoadedConfig; readonly notes: readonly string[] }> {
  const alone = { port, host: '127.0.0.1', dashboard: 'readonly', lessons: false, clients: [], users: [] } as const;
  try {
    return { config: await loadConfig({ modules, overrides: { ...alone, ...setupConfig(setup) } }), notes: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const note = `The clients and users of the file are left out. ${error.message}`;
    return { config: await loadConfig({ modules, overrides: alone }), notes: [note] };
  }
}
