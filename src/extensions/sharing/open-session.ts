import { createDashboard } from '../../dashboard/dashboard.ts';
import { factsOf } from '../../dashboard/facts.ts';
import { ConfigError, type LoadedConfig, loadConfig } from '../../sandbox/config/load-config.ts';
import type { Extension, Modules } from '../../sandbox/extension.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { guard } from './guard.ts';
import { type OpenedSession, openedSession } from './opened-session.ts';
import { readSession } from './read-session.ts';
import { type RecordedSetup, setupConfig } from './setup-config.ts';
import { shareCommands } from './share-commands.ts';

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
  const shown = openedSession(name, session);
  const { config, notes } = await configOf(port, session.setup, showing(shown, modules));
  const now = () => session.exportedAt;
  const sandbox = await startSandbox(config, { now });
  const { flows, problems } = shown.record;
  return {
    url: `${sandbox.url}/dashboard/flows`,
    notes,
    issuer: session.issuer,
    counts: { flows: flows.count(), problems: problems.count(), requests: session.requests.length },
    stop: sandbox.stop,
  };
}

/** A sandbox of these modules shows the session in place of its own history, and answers for its pages alone. */
function showing({ show }: OpenedSession, modules: Modules): Modules {
  const pagesAlone: Extension = { name: 'opened', whole: async () => ({ before: guard }) };
  return {
    ...modules,
    extensions: [pagesAlone, ...modules.extensions],
    dashboard: {
      paths: () => ['/dashboard'],
      load: async () => (issuer, tools) => createDashboard(show(factsOf(issuer, tools)), [], [shareCommands]),
    },
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
