import { createDeferredListener } from './composition/deferred-listener.ts';
import { createIssuer } from './composition/issuer.ts';
import { createLazyOutbound } from './composition/outbound.ts';
import { createSelfTesting, together } from './composition/self-testing.ts';
import type { SandboxTls } from './composition/tls.ts';
import type { Config } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import type { SandboxConfig } from './config/sandbox-config.ts';
import type { EventLog } from './events/event-log.ts';
import { listen } from './http/listen.ts';
import { createRequestLog, type RequestLog } from './http/request-log.ts';
import type { SigningKey } from './oauth/tokens/signing-keys.ts';
import type { NextLogin } from './oauth/users/next-login.ts';
import type { SelfTestReport } from './self-test/report.ts';

export type { SandboxTls } from './composition/tls.ts';
export type { NextLogin } from './oauth/users/next-login.ts';
export type { SelfTestReport, SelfTestResult } from './self-test/report.ts';

/** A running sandbox. */
export interface Sandbox {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  /** The issuer identifier: what clients are configured with. */
  readonly issuer: string;
  /** Certificates made on start; absent without HTTPS, and where all of them were configured. */
  readonly tls?: SandboxTls;
  /** Everything that happened. */
  readonly events: EventLog;
  /** The issuers beside the first, by path without the slash. */
  readonly issuers: ReadonlyMap<string, SandboxIssuer>;
  /** The server's idea of now, in Unix seconds. */
  readonly clock: () => number;
  /** What the self-test at the start has found; absent where there was none (`selfTest`). */
  readonly selfTested?: SelfTestReport;
  /** A new key for each algorithm signs from now on; the old ones stay published until their tokens have expired. */
  rotateKeys(): Promise<void>;
  /**
   * Signs in this user at the next login, without a click; or answers it with an error. It waits ten minutes for that login, and
   * several are taken in their order.
   * @throws TypeError for a user, client or action that is not there
   */
  nextLogin(login: NextLogin): Promise<void>;
  /** Forgets logins, codes, tokens, events and changed rows; keys and registration stay. */
  reset(): Promise<void>;
  /** Tries all that the metadata promises, as a client would; nothing of it is left afterwards. */
  selfTest(): Promise<SelfTestReport>;
  /** Answers what is in flight, then ends. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** One of the issuers beside the first. */
export interface SandboxIssuer {
  readonly issuer: string;
  readonly events: EventLog;
  nextLogin(login: NextLogin): Promise<void>;
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
 * @throws ConfigError listing every problem of the configuration; ListenError when the port is taken; SelfTestError when
 * `selfTest` is on and the metadata lies
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
  const door = createDeferredListener();
  const https = config.tls === undefined ? undefined : await import('./composition/tls.ts');
  const tls = await https?.createTls(config);
  const { port, close } = await listen(door.listener, config.host, config.port, tls?.options);

  const url = urlOf(tls === undefined ? 'http' : 'https', config.host, port);
  const outbound = createLazyOutbound(config.outbound, tls?.ca);
  const log = createLog(config, environment);
  const shared = { port, tls, now, outbound, log };
  const first = createIssuer(config, config.issuer ?? url, shared, begunKeys);
  const { origin } = new URL(first.issuer);
  const others = new Map(
    config.issuers.map(each => [each.path, createIssuer(each.config, origin + each.path, shared)] as const),
  );
  const all = [first, ...others.values()];
  const selfTesting = createSelfTesting(door, all);

  async function stop(): Promise<void> {
    for (const each of all) each.close();
    await close(stopGraceSeconds);
    await log.close();
  }
  const selfTested = config.selfTest ? await orStop(selfTesting.demand(), stop) : undefined;
  door.open(together(all));
  return {
    ...{ url, issuer: first.issuer, events: first.events },
    ...https?.sandboxTls(tls),
    issuers: new Map(
      [...others].map(([path, { issuer, events, nextLogin }]) => [path.slice(1), { issuer, events, nextLogin }]),
    ),
    clock: () => Math.floor(now()),
    ...(selfTested === undefined ? {} : { selfTested }),
    selfTest: selfTesting.run,
    nextLogin: first.nextLogin,
    rotateKeys: async () => void (await Promise.all(all.map(each => each.rotateKeys()))),
    reset: async () => void (await Promise.all(all.map(each => each.reset()))),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** What cannot start lets go of its port. */
async function orStop<T>(work: Promise<T>, stop: () => Promise<void>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What lasts longer after a stop is cut. */
const stopGraceSeconds = 5;

/** `localhost` where it listens everywhere: that is how the machine itself reaches it. */
function urlOf(scheme: 'http' | 'https', host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${name}:${port}`;
}

function createLog(config: Config, { log: destination, isTerminal = false }: SandboxEnvironment): RequestLog {
  const pretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && isTerminal);
  return createRequestLog({
    level: destination === undefined ? 'silent' : config.logLevel,
    format: pretty ? 'pretty' : 'json',
    destination: destination ?? { write() {} },
  });
}
