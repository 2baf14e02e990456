import { beforeDeadline } from './composition/deadline.ts';
import { handleOf, shortLivedHandle } from './composition/handle.ts';
import { createIssuers } from './composition/issuers.ts';
import { byPath, createDeferredListener } from './composition/listeners.ts';
import { createWaysOut } from './composition/outbound.ts';
import type { ReadAgain } from './composition/reload/reload-all.ts';
import { createReporting } from './composition/report/reporting.ts';
import type { SandboxIssuer, ShortLivedIssuer } from './composition/sandbox-issuer.ts';
import { createSelfTesting } from './composition/self-test/self-testing.ts';
import type { SandboxTls } from './composition/tls.ts';
import type { Config } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import type { SandboxConfig } from './config/sandbox-config.ts';
import type { Reloaded } from './control/reload/reloaded.ts';
import type { ShortLivedConfig, ShortLivedOptions } from './control/short-lived.ts';
import { defined } from './defined.ts';
import { listen } from './http/listen.ts';
import { createRequestLog, type RequestLog } from './http/log/request-log.ts';
import type { SigningKey } from './oauth/tokens/signing-key.ts';
import type { SelfTestReport } from './self-test/report.ts';

/**
 * A running sandbox. What an issuer is asked for, the first one is; `rotateKeys` and `reset` reach every issuer. The others have
 * clocks of their own.
 */
export interface Sandbox extends SandboxIssuer {
  /** Where it listens, without a trailing slash. */
  readonly url: string;
  /** Certificates made on start; absent without HTTPS, and where all of them were configured. */
  readonly tls?: SandboxTls;
  /** The issuers beside the first, by path without the slash. */
  readonly issuers: ReadonlyMap<string, SandboxIssuer>;
  /** The result of the self-test at the start; absent without `selfTest`. */
  readonly selfTested?: SelfTestReport;
  /**
   * Takes another configuration in the place of the one it was made with, and says what that changed. Clients, users, scopes, collections, trusted issuers and most settings of the protocol are so from then on; `atNextStart`
   * has the others. What was changed while it ran stays, where the configuration says of it what it said before.
   * @throws ConfigError listing every problem: then nothing is changed
   */
  reload(config: SandboxConfig): Promise<Reloaded>;
  /**
   * An issuer of its own under `/i/<id>`, in milliseconds, as each test or each worker wants one: with clients, users, clock,
   * events and sample backend that nobody else sees. What `config` does not say is as with the first. It ends by `stop`, or by age.
   * @throws TypeError that names every member that is wrong; and where there are 500 already
   */
  createIssuer(config?: ShortLivedConfig, options?: ShortLivedOptions): Promise<ShortLivedIssuer>;
  /** Tries all that the metadata promises, as a client would; nothing of it is left afterwards. */
  selfTest(): Promise<SelfTestReport>;
  /** Answers what is in flight, then ends; after eight seconds at the latest. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Members `main.ts` needs in addition: reload without arguments, and reload by SIGHUP. */
export interface SandboxProcess extends Sandbox {
  /**
   * Without a configuration: the file that was read at the start, once more.
   * @throws NothingToRead where there was none
   */
  reload(config?: SandboxConfig): Promise<Reloaded>;
  /** The same, for the log: by a signal. */
  readAgain(): Promise<void>;
}

/** Inputs that are not configuration: the clock, and the destination of log lines. */
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
 * `selfTest` is on and the metadata is wrong
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
): Promise<SandboxProcess> {
  const now = environment.now ?? (() => Date.now() / 1000);
  const door = createDeferredListener();
  const https = config.tls === undefined ? undefined : await import('./composition/tls.ts');
  const tls = await https?.createTls(config);
  const log = createLog(config, environment);
  const tell = (message: string) => log.fault({}, message);
  const { port, close } = await listen(door.listener, config.host, config.port, { tls: tls?.options, tell });

  const url = urlOf(tls === undefined ? 'http' : 'https', config.host, port);
  const shared = { port, tls, now, log, ...createWaysOut(config.outbound, tls?.ca) };
  const reports = createReporting(config.reportDir, log);
  const issuers = createIssuers({ config, url, shared, reports, ...defined({ begunKeys }) });
  const { first, others, all, paths, shortLived, reloading } = issuers;
  const selfTesting = createSelfTesting(door, all);

  async function stop(): Promise<void> {
    reloading.close();
    for (const each of all) each.close();
    shortLived.current()?.close();
    await beforeDeadline(stopSeconds, async signal => {
      await close(stopGraceSeconds);
      reports.begin(first, '');
      for (const [path, each] of others) reports.begin(each, path.slice(1));
      await reports.written(signal);
      await log.close();
    });
  }
  const selfTested = config.selfTest ? await orStop(selfTesting.demand(), stop) : undefined;
  door.open(byPath(first.listener, paths));
  reloading.watch();
  return {
    ...handleOf(first),
    url,
    ...https?.sandboxTls(tls),
    issuers: new Map([...others].map(([path, each]) => [path.slice(1), handleOf(each)])),
    createIssuer: async (own, options) => shortLivedHandle(await shortLived.get(), own, options),
    ...defined({ selfTested }),
    selfTest: selfTesting.run,
    rotateKeys: async options => void (await Promise.all(all.map(each => each.rotateKeys(options)))),
    reload: own => reloading.reload('library', own === undefined ? undefined : givenHere(own)),
    readAgain: async () => void (await reloading.reload('signal')),
    reset: async part => void (await Promise.all(all.map(each => each.reset(part)))),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Another configuration in the place of the one `createSandbox` was given. */
function givenHere(config: SandboxConfig): ReadAgain {
  return { name: 'createSandbox', read: () => loadConfig({ overrides: { port: 0, ...config } }) };
}

/** Releases the port if the start fails. */
async function orStop<T>(work: Promise<T>, stop: () => Promise<void>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Requests and streams that last longer after a stop are cut. */
const stopGraceSeconds = 5;

/** After this a stop is over, whatever is left undone: a container engine ends what takes ten. */
const stopSeconds = 8;

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
