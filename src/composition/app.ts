import type { RequestListener } from 'node:http';
import { createDashboard, type Dashboard } from '../dashboard/dashboard.ts';
import type { Adapter } from '../http/adapter.ts';
import { type AppOptions, createApp } from '../http/app.ts';
import { createConsent } from '../http/consent.ts';
import type { Cookies } from '../http/cookies.ts';
import type { Handler } from '../http/front-door.ts';
import { createLogin } from '../http/login.ts';
import { certificateRoutes, otherRoutes } from '../http/other-routes.ts';
import { createPageLogins } from '../http/page-login.ts';
import type { Pages } from '../http/pages.ts';
import type { EndpointRoute, Route } from '../http/routes.ts';
import type { Views } from '../http/views.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { dpopAlgs } from '../oauth/proofs/dpop-algs.ts';
import { currentNonce, isFreshNonce } from '../oauth/proofs/dpop-nonce.ts';
import { verifySignature } from '../oauth/tokens/verify-signature.ts';
import { templatesFolder } from '../package.ts';
import { createResourceServer, type DpopOptions, type ResourceServer } from '../resources/index.ts';
import type { Core } from './front.ts';
import { createIntrospection } from './introspection.ts';
import { createKeyResolver } from './key-resolver.ts';
import { isAskedFor, metadataUrlOf, resourcesOf } from './protected-resources.ts';
import { ownAddress, postForm } from './self-request.ts';

export interface AppParts extends Core {
  readonly adapter: Adapter;
  readonly cookies: Cookies;
  readonly pages: Pages;
  /** The path of the issuer. */
  readonly base: string;
  readonly endpoints: ReadonlyMap<EndpointRoute, Handler>;
  readonly switchedOff: AppOptions['switchedOff'];
  readonly views: Views;
  /** Unix seconds. */
  readonly startedAt: number;
}

/** The part of the sandbox that needs Express: pages, sample backend, dashboard, and the endpoints for browsers. */
export function loadApp(parts: AppParts) {
  const { config, server, adapter, cookies, pages, endpoints, users } = parts;
  const others = [...otherRoutes, ...certificateRoutesOf(parts)];
  const routes = [...endpoints.keys(), ...others.map(route => ({ ...route, path: parts.base + route.path }))];
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
  const pageLogins = createPageLogins({
    ...{ server, adapter, cookies, pages, mode: config.loginMode, createUser: users.create },
    routes: [...endpoints.keys()],
  });
  const consent = createConsent({ server, adapter, cookies, authorizePath });
  const listener: RequestListener = createApp({
    server,
    base: parts.base,
    adapter,
    endpoints,
    switchedOff: parts.switchedOff,
    login,
    consent,
    pageLogins,
    api: api.router,
    templatesFolder,
    corsOrigins: config.corsOrigins,
    rateLimit: config.rateLimit,
    loginRateLimit: config.loginRateLimit,
    tls: parts.tls,
    links: linksTo(routes, server),
    ...(dashboard === undefined ? {} : { dashboard: dashboard.router }),
  });
  return { listener, resetResources: api.reset, closeStreams: () => dashboard?.close() };
}

/** Of those whose address is known without more. */
function linksTo(routes: readonly Route[], { issuer }: AuthorizationServer): Readonly<Record<string, string>> {
  const complete = routes.filter(({ path }) => !path.includes(':'));
  return Object.fromEntries(complete.map(({ name, path }) => [name, new URL(issuer).origin + path]));
}

/** Only what is there to be had. */
function certificateRoutesOf({ tls }: AppParts): readonly Route[] {
  const { ca, clientCertificate } = certificateRoutes;
  return [...(tls?.ca === undefined ? [] : [ca]), ...(tls?.clients === undefined ? [] : [clientCertificate])];
}

function createApi({ config, server, log }: AppParts): ResourceServer {
  return createResourceServer({
    issuer: server.issuer,
    audience: config.apiAudience,
    isAskedFor: claims => isAskedFor(server, claims),
    identifiers: name => resourcesOf(server.issuer, name),
    ...(server.features.has('protected-resource-metadata')
      ? { resourceMetadata: (name: string) => metadataUrlOf(server.issuer, name) }
      : {}),
    keys: createKeyResolver(server),
    clock: server.clock,
    clockSkew: config.apiClockSkew,
    ...(server.features.has('dpop') ? { dpop: dpopOf(server) } : {}),
    ...(config.apiTokenCheck === 'introspection' ? { introspect: createIntrospection(server) } : {}),
    collections: config.collections,
    onError: error => log.error(error, 'api'),
  });
}

/** The sample backend takes proofs by the same rules as UserInfo, and nonces from the same source. */
function dpopOf(server: AuthorizationServer): DpopOptions {
  const nonce = {
    current: () => currentNonce(server),
    isFresh: (sent: string) => isFreshNonce(server, sent),
  };
  return {
    origin: new URL(server.issuer).origin,
    algorithms: dpopAlgs(server),
    ...(server.dpop.nonceRequired ? { nonce } : {}),
  };
}

function createOurDashboard(
  { config, server, events, views, port, tls, startedAt, base }: AppParts,
  routes: readonly Route[],
): Dashboard {
  const address = ownAddress(config);
  const path = pathOf(routes, 'token');
  return createDashboard({
    events,
    views,
    issuer: server.issuer,
    base,
    clients: config.clients,
    registered: () => server.clients.values(),
    users: config.users,
    scopes: config.scopes,
    collections: config.collections,
    endpoints: routes.map(({ name, methods, path }) => ({ name, method: methods.join(', '), path })),
    clock: server.clock,
    startedAt,
    verify: jwt => verifySignature(server, jwt),
    redeem: form => postForm({ address, port, isSecure: tls !== undefined, path, form }),
  });
}

function pathOf(routes: readonly Route[], name: string): string {
  return routes.find(route => route.name === name)?.path ?? '';
}
