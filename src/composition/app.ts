import type { RequestListener } from 'node:http';
import { createDashboard, type Dashboard } from '../dashboard/dashboard.ts';
import type { Adapter } from '../http/adapter.ts';
import { type AppOptions, createApp } from '../http/app.ts';
import type { Cookies } from '../http/cookies.ts';
import type { Handler } from '../http/front-door.ts';
import { createLogin } from '../http/login.ts';
import type { Pages } from '../http/pages.ts';
import { type EndpointRoute, otherRoutes, type Route } from '../http/routes.ts';
import type { Views } from '../http/views.ts';
import { verifySignature } from '../oauth/tokens/verify-signature.ts';
import { templatesFolder } from '../package.ts';
import { createResourceServer, type ResourceServer } from '../resources/index.ts';
import type { Core } from './front.ts';
import { createKeyResolver } from './key-resolver.ts';
import { postForm } from './self-request.ts';

export interface AppParts extends Core {
  readonly adapter: Adapter;
  readonly cookies: Cookies;
  readonly pages: Pages;
  readonly endpoints: ReadonlyMap<EndpointRoute, Handler>;
  readonly switchedOff: AppOptions['switchedOff'];
  readonly views: Views;
  /** Unix seconds. */
  readonly startedAt: number;
}

/** The part of the sandbox that needs Express: pages, sample backend, dashboard, and the endpoints for browsers. */
export function loadApp(parts: AppParts) {
  const { config, server, adapter, cookies, pages, endpoints, users } = parts;
  const routes = [...endpoints.keys(), ...otherRoutes];
  const api = createApi(parts);
  const dashboard = config.dashboard ? createOurDashboard(parts, routes) : undefined;
  const authorizePath = pathOf(routes, 'authorize');
  const login = createLogin({
    server,
    adapter,
    cookies,
    pages,
    mode: config.loginMode,
    authorizePath,
    createUser: users.create,
  });
  const listener: RequestListener = createApp({
    server,
    adapter,
    endpoints,
    switchedOff: parts.switchedOff,
    login,
    api: api.router,
    templatesFolder,
    corsOrigins: config.corsOrigins,
    rateLimit: config.rateLimit,
    loginRateLimit: config.loginRateLimit,
    links: Object.fromEntries(routes.map(({ name, path }) => [name, new URL(server.issuer).origin + path])),
    ...(dashboard === undefined ? {} : { dashboard: dashboard.router }),
  });
  return { listener, resetResources: api.reset, closeStreams: () => dashboard?.close() };
}

function createApi({ config, server, log }: AppParts): ResourceServer {
  return createResourceServer({
    issuer: server.issuer,
    audience: config.apiAudience,
    keys: createKeyResolver(server),
    clock: server.clock,
    clockSkew: config.apiClockSkew,
    collections: config.collections,
    onError: error => log.error(error, 'api'),
  });
}

function createOurDashboard(
  { config, server, events, views, port, startedAt }: AppParts,
  routes: readonly Route[],
): Dashboard {
  const address = config.host === 'localhost' ? '127.0.0.1' : config.host;
  const path = pathOf(routes, 'token');
  return createDashboard({
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
    redeem: form => postForm({ address, port, path, form }),
  });
}

function pathOf(routes: readonly Route[], name: string): string {
  return routes.find(route => route.name === name)?.path ?? '';
}
