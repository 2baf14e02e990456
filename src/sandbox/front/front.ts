import type { IncomingMessage } from 'node:http';
import { lazily } from '../../base/lazily.ts';
import { templatesFolder, version } from '../../package.ts';
import { type AuthorizationServer, addressesOf } from '../../protocol/authorization-server.ts';
import type { WebOrigins } from '../../protocol/clients/client-directory.ts';
import { seededRandom } from '../../protocol/random.ts';
import type { Known } from '../../record/problems/known.ts';
import { createAdapter } from '../../server/http/adapter.ts';
import { createCookies } from '../../server/http/cookies.ts';
import type { CorsOptions } from '../../server/http/cors.ts';
import type { Explaining } from '../../server/http/explained.ts';
import { createFrontDoor } from '../../server/http/front-door.ts';
import { probesForAnyHost } from '../../server/http/health.ts';
import { createHostCheck, hostNames } from '../../server/http/hosts.ts';
import { answerPages, machineEndpoints } from '../../server/http/machine-endpoints.ts';
import { type EndpointRoute, listed } from '../../server/http/route.ts';
import { createRouteHandlers } from '../../server/http/route-handler.ts';
import { endpointRoutes, withShortPaths } from '../../server/http/routes.ts';
import { createViews, type Look } from '../../server/http/views.ts';
import type { Front, Issuer, SandboxParts } from '../extension.ts';

/** Express, the dashboard and the sample backend are loaded when a request first needs them. */
export function createFront(issuer: Issuer): Front {
  const { config, server, events, state, sandbox, explanationOf } = issuer;
  const { log } = sandbox;
  const base = new URL(server.issuer).pathname.replace(/\/$/, '');
  const startedAt = server.clock();
  const cookies = createCookies(server.issuer);
  const views = createViews({ templatesFolder, look: lookOf(issuer, base) });
  const pages = lazily(async () => {
    const { createPages } = await import('../../server/http/pages.ts');
    return createPages({ server, base, cookies, views, loginMode: config.loginMode, branding: () => config.branding });
  });
  const adapter = createAdapter({
    server,
    cookies,
    views,
    explanationOf,
    errorUris: config.errorUri,
    explaining: () => explaining(issuer, base),
    renderPage: async (page, req) => (await pages.get()).render(page, req),
    onError: log.error,
    faults: issuer.faults.open,
  });
  const { offered, switchedOff } = splitRoutes(routesOf(issuer, base), server);
  const endpoints = createRouteHandlers(offered, adapter, config.metadataMaxAge);
  const cors = corsOf(issuer);
  const app = lazily(async () => {
    const { loadApp } = await import('./app.ts');
    const loaded = await pages.get();
    return loadApp(issuer, { base, adapter, cookies, cors, endpoints, switchedOff, views, startedAt, pages: loaded });
  });
  const listener = createFrontDoor({
    ...recordingOf(issuer),
    ...hostsOf(issuer, base),
    arrived: (req, requestId) => correlate(sandbox, req, requestId),
    machineEndpoints: machineEndpoints(endpoints, config.rateLimit),
    answerPage: lazily(() => answerPages(cors)).get,
    app: async () => (await app.get()).listener,
    explanationOf,
    responseTap: issuer.breakpoints.responseTap,
    emit: requestId => fact => void events.append(fact, requestId),
    onError: log.error,
  });
  return {
    listener,
    unread: listener.unread,
    // rows that are not in this process may have changed although this process has not loaded them
    resetResources: async () => (state.rows === undefined ? app.current() : await app.get())?.resetResources(),
    reconfigure: () => app.current()?.reconfigure(),
    closeStreams: () => app.current()?.closeStreams(),
  };
}

/** Remembers the ids that a request has in other programs, for the log. */
function correlate({ log, whole }: SandboxParts, { headers }: IncomingMessage, requestId: string): void {
  const { traceparent, 'x-request-id': named } = headers;
  const own = whole.correlation?.();
  if (traceparent !== undefined || named !== undefined || own !== undefined)
    log.correlate(requestId, { traceparent, named, own });
}

/** The hosts that requests may name, those of the provider of a preset among them. */
function hostsOf({ config, server, preset }: Issuer, base: string) {
  const [addresses, allowed] = [addressesOf(server, ''), [...config.allowedHosts, ...(preset?.hosts ?? [])]];
  return {
    isAllowedHost: createHostCheck(addresses, allowed),
    hostNames: hostNames(addresses, allowed),
    forAnyHost: new Set(['', base].flatMap(path => probesForAnyHost.map(probe => path + probe))),
  };
}

function lookOf({ config, server, preset }: Issuer, base: string): Look {
  return {
    label: config.label,
    issuer: server.issuer,
    base,
    version,
    dashboard: config.dashboard !== 'off',
    ids: preset?.pageIds,
    relaxed: async () => (await import('../../protocol/relaxation.ts')).dropInSentences(server),
  };
}

function corsOf({ config, server, faults }: Issuer): CorsOptions {
  const clientOrigins = () => (config.anyClient ? everyOrigin : server.clients.webOrigins());
  return { corsOrigins: config.corsOrigins, clientOrigins, faults: faults.open };
}

/** With `CLIENTS=any` a client may be on any page. */
const everyOrigin: WebOrigins = { has: () => true, [Symbol.iterator]: () => [][Symbol.iterator]() };

/** With a seed, requests have the same ids on each run, too. */
function recordingOf({ config, sandbox, preset, server, state }: Issuer) {
  const { recording, seed, rateLimit, maxHeaderSize } = config;
  const seeded = seed === undefined ? undefined : seededRandom(`requests ${seed}`).below(36 ** 4);
  return {
    recording,
    maxHeaderSize,
    mark: sandbox.mark,
    headers: preset?.headers?.(server.clock, rateLimit),
    firstId: state.firstId ?? seeded,
  };
}

/** Data that the explanation of a refusal needs. The rules for changes are loaded with the first one. */
async function explaining(issuer: Issuer, base: string): Promise<Explaining> {
  const { createControl } = await import('../control/create-control.ts');
  const known = { ...knownOf(issuer, base), control: createControl(issuer) };
  return { known, canFix: issuer.config.dashboard === 'on' };
}

/** What explanations look up of an issuer, except the rules for changes. */
export function knownOf(issuer: Issuer, base: string): Known {
  const { config, server, events } = issuer;
  return {
    events,
    issuer: server.issuer,
    iss: server.iss,
    base,
    scopes: [...server.scopes.values()],
    endpoints: listed(routesOf(issuer, base)),
    clock: server.clock,
    maxHeaderSize: config.maxHeaderSize,
    registered: () => server.clients.values(),
    accounts: () => server.users.values(),
  };
}

function routesOf({ config, server, preset }: Issuer, base: string): readonly EndpointRoute[] {
  const usual = endpointRoutes(server, base);
  const isDropIn = config.anyClient || config.anyIssuer;
  return preset?.withRoutes(usual, base) ?? (isDropIn ? withShortPaths(usual, base) : usual);
}

/** Splits the routes into those this issuer serves, and the paths of features that are switched off. */
function splitRoutes(routes: readonly EndpointRoute[], { features }: AuthorizationServer) {
  const isOffered = ({ feature }: EndpointRoute) => feature === undefined || features.has(feature);
  return {
    offered: routes.filter(isOffered),
    switchedOff: routes.flatMap(route =>
      isOffered(route) || route.feature === undefined ? [] : [{ path: route.path, feature: route.feature }],
    ),
  };
}
