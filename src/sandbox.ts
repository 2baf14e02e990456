import { createDeferredListener } from './composition/deferred-listener.ts';
import { createFront } from './composition/front.ts';
import { createLazyOutbound } from './composition/outbound.ts';
import { createServer } from './composition/server.ts';
import type { Config } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import type { SandboxConfig } from './config/sandbox-config.ts';
import { createEventLog, type EventLog } from './events/event-log.ts';
import { listen } from './http/listen.ts';
import { createRequestLog, type RequestLog } from './http/request-log.ts';
import type { AuthorizationServer } from './oauth/authorization-server.ts';
import type { SigningKey } from './oauth/tokens/signing-keys.ts';
import { createUserDirectory } from './oauth/user.ts';
import { createMemoryStore } from './storage/memory-store.ts';

/** A running sandbox. */
export interface Sandbox {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  /** The issuer identifier: what clients are configured with. */
  readonly issuer: string;
  /** Everything that happened. */
  readonly events: EventLog;
  /** The server's idea of now, in Unix seconds. */
  readonly clock: () => number;
  /** Forgets logins, codes, tokens, events and changed rows; keys and registration stay. */
  reset(): Promise<void>;
  /** Answers what is in flight, then ends. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What is not configuration: where time and log lines come from and go to. */
export interface SandboxEnvironment {
  /** Unix seconds, with a fraction. Default: the system clock. */
  readonly now?: () => number;
  /** Takes log lines, or is the file descriptor they go to; without it nothing is logged. */
  readonly log?: { write(text: string): void } | number;
  /** A person reads the log: `auto` becomes pretty. */
  readonly isTerminal?: boolean;
}

/**
 * Starts a sandbox in this process, by default on a free port.
 * @throws ConfigError listing every problem of the configuration; ListenError when the port is taken
 */
export async function createSandbox(
  config: SandboxConfig = {},
  environment: SandboxEnvironment = {},
): Promise<Sandbox> {
  return startSandbox(await loadConfig({ overrides: { port: 0, ...config } }), environment);
}

/** Starts a sandbox from a checked configuration; `begunKeys` are key pairs that are being made already. */
export async function startSandbox(
  config: Config,
  environment: SandboxEnvironment = {},
  begunKeys?: ReadonlyMap<string, Promise<SigningKey>>,
): Promise<Sandbox> {
  const now = environment.now ?? (() => Date.now() / 1000);
  const clock = () => Math.floor(now());
  const door = createDeferredListener();
  const listening = await listen(door.listener, config.host, config.port);

  const url = urlOf(config.host, listening.port);
  const issuer = config.issuer ?? url;
  const events = createEventLog({ capacity: config.historySize, now });
  const store = createMemoryStore({ clock });
  const clientIds = config.clients.map(client => client.client_id);
  const users = createUserDirectory(config.users, clientIds);
  const outbound = createLazyOutbound();
  const server = createServer(config, { issuer, clock, store, users, outbound, begunKeys });
  const explanationOf = createExplanations(config, issuer);
  const log = createLog(config, environment, explanationOf);
  const front = createFront({ config, server, events, users, log, explanationOf, port: listening.port });
  events.subscribe(log.event);
  door.open(front.listener);
  void announceKeys(server, events, log);

  async function stop(): Promise<void> {
    front.closeStreams();
    await listening.close(stopGraceSeconds);
    await log.close();
  }
  async function reset(): Promise<void> {
    await store.clear();
    users.reset();
    server.clients.reset();
    front.resetResources();
    events.clear();
    events.append({ type: 'sandbox.reset' }, 'sandbox');
  }
  return { url, issuer, events, clock, reset, stop, [Symbol.asyncDispose]: stop };
}

/** What lasts longer after a stop is cut. */
const stopGraceSeconds = 5;

/** `localhost` where it listens everywhere: that is how the machine itself reaches it. */
function urlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Where the dashboard explains a request. */
function createExplanations({ dashboard }: Config, issuer: string): (requestId: string) => string | undefined {
  const { origin } = new URL(issuer);
  return requestId => (dashboard ? `${origin}/dashboard/requests/${requestId}` : undefined);
}

function createLog(
  config: Config,
  { log: destination, isTerminal = false }: SandboxEnvironment,
  explanationOf: (requestId: string) => string | undefined,
): RequestLog {
  const pretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && isTerminal);
  return createRequestLog({
    level: destination === undefined ? 'silent' : config.logLevel,
    format: pretty ? 'pretty' : 'json',
    destination: destination ?? { write() {} },
    explanationOf,
  });
}

/** The history shows each key, from when it was made. */
async function announceKeys({ keys }: AuthorizationServer, events: EventLog, log: RequestLog): Promise<void> {
  for (const alg of keys.algs) {
    try {
      const { kid } = await keys.forAlg(alg);
      events.append({ type: 'key.created', kid, alg }, 'sandbox');
    } catch (error) {
      log.error(error, 'sandbox');
    }
  }
}
