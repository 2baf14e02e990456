import type { RequestListener } from 'node:http';
import { realTime } from '../base/clock.ts';
import type { SigningKey } from '../protocol/tokens/signing-key.ts';
import { createRequestLog, type RequestLog } from '../server/http/log/request-log.ts';
import { createReadiness } from '../server/http/readiness.ts';
import { createSenderMark } from '../server/http/request-context.ts';
import type { Config, IssuerConfig } from './config/config.ts';
import { type LoadedConfig, loadConfig } from './config/load-config.ts';
import { urlOf } from './config/own-url.ts';
import type { SandboxConfig } from './config/sandbox-config.ts';
import type { Reloaded } from './control/reload/reloaded.ts';
import { inTurnHere, type RunInTurn } from './control/replica-turn.ts';
import type { ShortLivedConfig, ShortLivedOptions } from './control/short-lived.ts';
import type { Issuer, Modules, OwnIssuers, OwnProcess, SandboxParts } from './extension.ts';
import { createIssuers, type Issuers } from './issuers/issuers.ts';
import type { ReadAgain } from './issuers/reloading.ts';
import type { SandboxIssuer, ShortLivedIssuer } from './library/calls.ts';
import { handleOf } from './library/handle.ts';
import { byPath, createDeferredListener, listenWithProbes } from './process/listening.ts';
import { createWaysOut } from './process/outbound.ts';
import { prepareKeys } from './process/prepared-keys.ts';
import { createStop, orStop } from './process/stopping.ts';
import type { SandboxTls } from './process/tls.ts';
import type { Replica } from './replica.ts';
import { createWhole, membersOf } from './running-extensions.ts';
import type { SandboxMembers } from './sandbox-members.ts';

/**
 * A running sandbox. Its calls apply to the first issuer, except `rotateKeys` and `reset`, which apply to every issuer.
 * Each issuer has its own clock.
 */
export interface Sandbox extends SandboxIssuer, SandboxMembers {
  /** The URL it listens at, without a trailing slash. */
  readonly url: string;
  /** Certificates created at the start; absent without HTTPS, or if all of them were configured. */
  readonly tls?: SandboxTls;
  /** The further issuers, by path without the leading slash. */
  readonly issuers: ReadonlyMap<string, SandboxIssuer>;
  /**
   * Replaces the configuration and returns the changes. Clients, users, scopes, collections, trusted issuers and most
   * protocol settings take effect at once; `atNextStart` lists the others. Changes made at run time stay for entries
   * that the configuration did not change.
   * @throws ConfigError listing every problem: then nothing has changed
   */
  reload(config: SandboxConfig): Promise<Reloaded>;
  /**
   * Creates a separate issuer under `/i/<id>` within milliseconds, for a test or a worker, with its own clients, users,
   * clock, events and sample backend. Members that `config` leaves out are those of the first issuer. It ends by `stop`
   * or after its lifetime.
   * @throws TypeError that names every invalid member, or if there are 500 issuers already
   */
  createIssuer(config?: ShortLivedConfig, options?: ShortLivedOptions): Promise<ShortLivedIssuer>;
  /** Waits for `drainDelay`, finishes open requests and stops, eight seconds later at the latest. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Members `main.ts` needs in addition: reload without arguments, reload by SIGHUP, and keys for a server that runs for long. */
export interface SandboxProcess extends Sandbox {
  /**
   * Without a configuration, reads the file of the start again.
   * @throws NothingToRead if there was no file
   */
  reload(config?: SandboxConfig): Promise<Reloaded>;
  /** Reloads the file; the log names the signal as the cause. */
  readAgain(): Promise<void>;
  /** Publishes keys for all algorithms of the metadata, from a second later on. */
  prepareKeys(): void;
}

/** Inputs that are not configuration: the clock and the destination of log lines. */
export interface SandboxEnvironment {
  /** Unix seconds, with a fraction. Default: the system clock. */
  readonly now?: () => number;
  /** A function that takes log lines, or a file descriptor; without it nothing is logged. */
  readonly log?: { write(text: string): void } | number;
  /** True if a person reads the log: then the format `auto` is pretty. */
  readonly isTerminal?: boolean;
}

/** `createSandbox`, which is put together from these modules. */
export async function createSandboxOf(
  modules: Modules,
  config: SandboxConfig = {},
  environment: SandboxEnvironment = {},
): Promise<Sandbox> {
  return startSandbox(await loadConfig({ modules, overrides: { port: 0, ...config } }), environment);
}

/** Starts a sandbox from a checked configuration. `begunKeys` are key pairs whose creation has begun. */
export async function startSandbox(
  config: LoadedConfig,
  environment: SandboxEnvironment & { readonly program?: OwnProcess } = {},
  begunKeys?: ReadonlyMap<string, Promise<SigningKey>>,
): Promise<SandboxProcess> {
  const door = createDeferredListener();
  const https = config.tls === undefined ? undefined : await import('./process/tls.ts');
  const log = await createLog(config, environment);
  const presets = await presetsOf(config);
  const hosts = [...(presets?.values() ?? [])].flatMap(each => each.hosts);
  const tls = await https?.createTls(config, hosts);
  const tell = (message: string) => log.failure({}, message);
  const how = { tls: tls?.options, tell, maxHeaderSize: config.maxHeaderSize, unread: door.unread };
  const listening = await listenWithProbes(config, door.listener, how);
  const { port } = listening;

  const url = urlOf(tls !== undefined, config.host, port);
  const made = sharedOf(config, environment, { port, tls, log, issuer: config.issuer ?? url });
  const { shared, behind, replica } = await orStop(made, () => listening.close(0));
  const issuers = createIssuers({ config, url, shared, presets, begunKeys });
  const { first, others, all, shortLived, reloading } = issuers;

  const entry = await entryOf(config, issuers);
  await orStop(shared.whole.begin(all), () => listening.close(0));
  const stop = createStop({ issuers, entry, listening, shared, replica, drainDelay: config.drainDelay });
  if (replica !== undefined) await orStop(replica.join(await shortLived.get(), reloading), stop);
  await Promise.all(all.map(({ extensions }) => extensions.start()));
  door.open(behind(shared.whole.before(replica?.door(entry.listener) ?? entry.listener, first)), first.front.unread);
  reloading.watch();
  const { inTurn, alone } = replica ?? aloneHere;
  const handle = (issuer: Issuer) => replica?.handle(handleOf(issuer)) ?? handleOf(issuer);
  return {
    ...handle(first),
    url,
    ...https?.sandboxTls(tls),
    issuers: new Map([...others].map(([path, each]) => [path.slice(1), handle(each)])),
    createIssuer: (own, options) => shortLivedHandle(shortLived.get, handle, inTurn, own, options),
    ...(await membersOf(first)),
    rotateKeys: options => inTurn(async () => void (await Promise.all(all.map(each => each.rotateKeys(options))))),
    reload: own => inTurn(() => reloading.reload('library', givenHere(own, config.modules))),
    readAgain: async () => void (await reloading.reload('signal')),
    prepareKeys: () => prepareKeys(all, { alone, inTurn }, log),
    reset: part => inTurn(async () => void (await Promise.all(all.map(each => each.reset(part)))), 'makes room'),
    ...{ stop, [Symbol.asyncDispose]: stop },
  };
}

/** Makes one more issuer, as a caller in this process sees it. */
function shortLivedHandle(
  issuers: () => Promise<OwnIssuers>,
  handle: (issuer: Issuer) => SandboxIssuer,
  inTurn: RunInTurn,
  config: ShortLivedConfig = {},
  options: ShortLivedOptions = {},
): Promise<ShortLivedIssuer> {
  return inTurn(async () => {
    const { issuer, told, stop: end } = await (await issuers()).createHere(config, options);
    const stop = () => inTurn(async () => end());
    return { ...handle(issuer), ...told, stop, [Symbol.asyncDispose]: stop };
  });
}

/** Without replicas there is nobody to wait for. */
const aloneHere: Pick<Replica, 'inTurn' | 'alone'> = { inTurn: inTurnHere, alone: work => work() };

/** The parts that all issuers share, and the trust in proxies. */
async function sharedOf(
  config: LoadedConfig,
  { now: given, program }: SandboxEnvironment & { readonly program?: OwnProcess },
  { port, tls, log, issuer }: Pick<SandboxParts, 'port' | 'tls' | 'log'> & { readonly issuer: string },
) {
  const readiness = createReadiness();
  const whole = await createWhole(config.modules, { config, log, readiness, program });
  const asked = config.modules.extensions.map(each => each.replica?.({ config, log, readiness, program }, issuer));
  const replica = await asked.find(each => each !== undefined);
  const now = given ?? replica?.now ?? realTime;
  const ways = createWaysOut(config.outbound, tls?.ca, whole);
  const seen = { log, readiness, whole, mark: createSenderMark() };
  return {
    shared: { port, tls, now, modules: config.modules, ...seen, ...ways, stateOf: replica?.stateOf },
    behind: await proxyTrust(config.trustProxy),
    replica,
  };
}

/** Nothing is believed, and nothing is done for a request, without trusted proxies. */
async function proxyTrust(trusted: Config['trustProxy']): Promise<(next: RequestListener) => RequestListener> {
  if (trusted.length === 0) return next => next;
  const { behindProxy } = await import('./process/behind-proxy.ts');
  return next => behindProxy(trusted, next);
}

/** Leads each request to its issuer, which a request may make with `ISSUERS=any`. */
async function entryOf({ anyIssuer }: Config, { first, paths, shortLivedParts }: Issuers) {
  const listener = byPath(first.listener, paths);
  if (!anyIssuer) return { listener, close: () => {} };
  return (await import('./issuers/any-issuers.ts')).createAnyIssuers(shortLivedParts, listener);
}

/** Loads the presets only where an issuer chose one. */
async function presetsOf(config: LoadedConfig) {
  const isChosen = [config, ...config.issuers.map(each => each.config)].some(({ preset }) => preset !== undefined);
  return isChosen ? (await import('./presets.ts')).loadPresets(config, config.modules.providers) : undefined;
}

/** Warnings are rare, so their texts are loaded only where there is one. */
async function tellWarnings(config: Config, log: RequestLog): Promise<void> {
  const isUsual = ({ readyClients, users, withoutEffect }: IssuerConfig) =>
    withoutEffect === undefined && readyClients.replaced.length === 0 && users.every(each => !each.password_hash);
  if (config.notes.length === 0 && [config, ...config.issuers.map(each => each.config)].every(isUsual)) return;
  await (await import('./process/warnings.ts')).warn(config, log);
}

/** Replaces the configuration that `createSandbox` was given. */
function givenHere(config: SandboxConfig | undefined, modules: Modules): ReadAgain | undefined {
  if (config === undefined) return undefined;
  return { name: 'createSandbox', read: () => loadConfig({ modules, overrides: { port: 0, ...config } }) };
}

async function createLog(
  config: LoadedConfig,
  { log: destination, isTerminal = false }: SandboxEnvironment,
): Promise<RequestLog> {
  const pretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && isTerminal);
  const log = createRequestLog({
    level: destination === undefined ? 'silent' : config.logLevel,
    format: pretty ? 'pretty' : 'json',
    destination: destination ?? { write() {} },
    maxHeaderSize: config.maxHeaderSize,
    lines: Object.assign({}, ...config.modules.extensions.map(({ events }) => events?.lines)),
  });
  await tellWarnings(config, log);
  return log;
}
