import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import type { SandboxConfig } from './config/sandbox-config.ts';
import { createEventLog, type EventLog } from './events/event-log.ts';
import { type Adapter, createAdapter } from './http/adapter.ts';
import { type Cookies, createCookies } from './http/cookies.ts';
import { createFrontDoor, type Handler } from './http/front-door.ts';
import { createHostCheck } from './http/host-check.ts';
import { listen } from './http/listen.ts';
import { createLogin } from './http/login.ts';
import { createPages, type Pages } from './http/pages.ts';
import { createRequestLog, type RequestLog } from './http/request-log.ts';
import { createRouteHandlers, fastLane } from './http/route-handler.ts';
import { type EndpointRoute, endpointRoutes, otherRoutes } from './http/routes.ts';
import { createViews } from './http/views.ts';
import { type AuthorizationServer, defaultPaths } from './oauth/authorization-server.ts';
import { grants } from './oauth/grants/index.ts';
import { createSigningKeys, type SigningKey } from './oauth/tokens/signing-keys.ts';
import { verifySignature } from './oauth/tokens/verify-signature.ts';
import { createUserDirectory, type UserDirectory } from './oauth/user.ts';
import { postForm } from './self-request.ts';
import { createMemoryStore } from './storage/memory-store.ts';
import { version } from './version.ts';

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
  /** Takes log lines; without it nothing is logged. */
  readonly log?: { write(text: string): void };
  /** A person reads the log: `auto` becomes pretty. */
  readonly isTerminal?: boolean;
  /** Key pairs that are being made already. */
  readonly begunKeys?: ReadonlyMap<string, Promise<SigningKey>>;
}

/**
 * Starts a sandbox in this process, by default on a free port.
 * @throws ConfigError listing every problem of the configuration; ListenError when the port is taken
 */
export async function createSandbox(config: SandboxConfig = {}, environment: SandboxEnvironment = {}): Promise<Sandbox> {
  return startSandbox(await loadConfig({ overrides: { port: 0, ...config } }), environment);
}

/** Starts a sandbox from a checked configuration. */
export async function startSandbox(config: Config, environment: SandboxEnvironment = {}): Promise<Sandbox> {
  const now = environment.now ?? (() => Date.now() / 1000);
  const clock = () => Math.floor(now());
  const events = createEventLog({ capacity: config.historySize, now });
  const door = createDeferredListener();
  const listening = await listen(door.listener, config.host, config.port);

  const url = `http://${config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : urlHost(config.host)}:${listening.port}`;
  const issuer = config.issuer ?? url;
  const store = createMemoryStore({ clock });
  const users = createUserDirectory(config.users, [...config.clients.map(client => client.client_id)]);
  const server = createServer(config, { issuer, clock, store, users, begunKeys: environment.begunKeys });
  const parts = createParts(config, environment, { server, events, users, port: listening.port });
  const stopLogging = events.subscribe(event => parts.log.event(event));
  door.open(parts.frontDoor);
  void announceKeys(server, events);

  async function stop(): Promise<void> {
    parts.closeStreams();
    await listening.close(stopGraceSeconds);
    stopLogging();
    await parts.log.close();
  }

  return {
    url,
    issuer,
    events,
    clock,
    async reset() {
      await store.clear();
      users.reset();
      parts.resetResources();
      events.clear();
      events.append({ type: 'sandbox.reset' }, 'sandbox');
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

const stopGraceSeconds = 5;
/** `templates/` beside `src/` and beside `dist/` alike. */
const templatesFolder = join(import.meta.dirname, '..', 'templates');

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Listens before the app exists: the address is known only then. Requests that are quicker wait. */
function createDeferredListener(): { listener: RequestListener; open(listener: RequestListener): void } {
  let open: (listener: RequestListener) => void = () => {};
  let current: RequestListener | undefined;
  const opened = new Promise<RequestListener>(resolve => {
    open = listener => {
      current = listener;
      resolve(listener);
    };
  });
  return {
    listener: (req, res) => (current === undefined ? void opened.then(listener => listener(req, res)) : current(req, res)),
    open: listener => open(listener),
  };
}

interface ServerParts {
  readonly issuer: string;
  readonly clock: () => number;
  readonly store: AuthorizationServer['store'];
  readonly users: UserDirectory;
  readonly begunKeys: SandboxEnvironment['begunKeys'];
}

function createServer(config: Config, { issuer, clock, store, users, begunKeys }: ServerParts): AuthorizationServer {
  const idTokenAlgs = config.clients.map(client => client.id_token_signed_response_alg);
  const keys = createSigningKeys({
    algs: [...new Set([config.signingAlg, 'RS256', ...idTokenAlgs])],
    jwks: config.keys,
    ...(begunKeys === undefined ? {} : { begun: begunKeys }),
  });
  return {
    issuer,
    paths: defaultPaths,
    clients: new Map(config.clients.map(client => [client.client_id, client])),
    users,
    scopes: new Map(config.scopes.map(scope => [scope.name, scope])),
    grants,
    keys,
    store,
    clock,
    signingAlg: config.signingAlg,
    scopeClaim: config.scopeClaim,
    lifetimes: {
      code: config.codeLifetime,
      idToken: config.idTokenLifetime,
      refreshToken: config.refreshTokenLifetime,
      session: config.sessionLifetime,
    },
  };
}

interface Core {
  readonly server: AuthorizationServer;
  readonly events: EventLog;
  readonly users: UserDirectory;
  readonly port: number;
}

/** Everything between the socket and the authorization server. Express and the pages are loaded when they are first needed. */
function createParts(config: Config, environment: SandboxEnvironment, core: Core) {
  const { server, events } = core;
  const origin = new URL(server.issuer).origin;
  const explanationOf = (requestId: string) =>
    config.dashboard ? `${origin}/dashboard/requests/${requestId}` : undefined;
  const log = createLog(config, environment, explanationOf);
  const cookies = createCookies(server.issuer);
  const views = async () => allViews;
  const allViews = createViews({ templatesFolder, look: { label: config.label, issuer: server.issuer, version } });
  const pages = createPages({ server, cookies, views, loginMode: config.loginMode });
  const adapter = createAdapter({
    server,
    cookies,
    views,
    explanationOf: config.errorUri ? explanationOf : () => undefined,
    renderPage: pages.render,
    onError: log.error,
  });
  const base = new URL(server.issuer).pathname.replace(/\/$/, '');
  const endpoints = createRouteHandlers(endpointRoutes(server, base), adapter, config.metadataMaxAge);
  const startedAt = server.clock();
  const loaded = lazily(() => loadApp({ config, core, adapter, cookies, pages, endpoints, log, startedAt, views: allViews }));
  const frontDoor = createFrontDoor({
    isAllowedHost: createHostCheck(server.issuer, config.allowedHosts),
    fastLane: fastLane(endpoints, config.rateLimit),
    app: async () => (await loaded.get()).listener,
    emit: requestId => fact => void events.append(fact, requestId),
    onError: log.error,
  });
  return {
    log,
    frontDoor,
    resetResources: () => loaded.current()?.resetResources(),
    closeStreams: () => loaded.current()?.closeStreams(),
  };
}

function createLog(config: Config, environment: SandboxEnvironment, explanationOf: (id: string) => string | undefined): RequestLog {
  const { log: destination = { write() {} }, isTerminal = false } = environment;
  const pretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && isTerminal);
  const level = environment.log === undefined ? 'silent' : config.logLevel;
  return createRequestLog({ level, format: pretty ? 'pretty' : 'json', destination, explanationOf });
}

interface AppParts {
  readonly config: Config;
  readonly core: Core;
  readonly adapter: Adapter;
  readonly cookies: Cookies;
  readonly pages: Pages;
  readonly endpoints: ReadonlyMap<EndpointRoute, Handler>;
  readonly log: RequestLog;
  readonly startedAt: number;
  readonly views: ReturnType<typeof createViews>;
}

async function loadApp({ config, core, adapter, cookies, pages, endpoints, log, startedAt, views }: AppParts) {
  const { server, events, users, port } = core;
  const [{ createApp }, { createDashboard }, { createResourceServer }] = await Promise.all([
    import('./http/app.ts'),
    import('./dashboard/dashboard.ts'),
    import('./resources/index.ts'),
  ]);
  const routes = [...endpoints.keys(), ...otherRoutes];
  const authorizePath = routes.find(route => route.name === 'authorize')?.path ?? '';
  const tokenPath = routes.find(route => route.name === 'token')?.path ?? '';
  const api = createResourceServer({
    issuer: server.issuer,
    audience: config.apiAudience,
    keys: async ({ kid }) => (await server.keys.find(kid))?.publicKey,
    clock: server.clock,
    clockSkew: config.apiClockSkew,
    collections: config.collections,
    onError: error => log.error(error, 'api'),
  });
  const dashboard = config.dashboard
    ? createDashboard({
        events,
        views,
        issuer: server.issuer,
        clients: config.clients,
        users: config.users,
        scopes: config.scopes,
        collections: config.collections,
        endpoints: routes.map(({ name, methods, path }) => ({ name, method: methods.join(', '), path })),
        clock: server.clock,
        startedAt,
        verify: jwt => verifySignature(server, jwt),
        redeem: form => postForm({ address: config.host === 'localhost' ? '127.0.0.1' : config.host, port, path: tokenPath, form }),
      })
    : undefined;
  const login = createLogin({ server, adapter, cookies, pages, mode: config.loginMode, authorizePath, createUser: users.create });
  const listener = createApp({
    server,
    adapter,
    endpoints,
    login,
    api: api.router,
    templatesFolder,
    corsOrigins: config.corsOrigins,
    rateLimit: config.rateLimit,
    loginRateLimit: config.loginRateLimit,
    links: Object.fromEntries(routes.map(({ name, path }) => [name, server.issuer + path])),
    ...(dashboard === undefined ? {} : { dashboard: dashboard.router }),
  });
  return { listener, resetResources: api.reset, closeStreams: () => dashboard?.close() };
}

/** Loads once, on the first call. */
function lazily<T>(load: () => Promise<T>): { get(): Promise<T>; current(): T | undefined } {
  let loading: Promise<T> | undefined;
  let value: T | undefined;
  return {
    get() {
      loading ??= load().then(loaded => (value = loaded));
      return loading;
    },
    current: () => value,
  };
}

/** The log knows each key as soon as it is made. */
async function announceKeys({ keys }: AuthorizationServer, events: EventLog): Promise<void> {
  for (const alg of keys.algs) {
    const key = await keys.forAlg(alg);
    events.append({ type: 'key.created', kid: key.kid, alg }, 'sandbox');
  }
}
