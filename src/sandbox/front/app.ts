import type { RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import { defined } from '../../base/defined.ts';
import { type Lazy, lazily } from '../../base/lazily.ts';
import { templatesFolder, version } from '../../package.ts';
import { dropInSentences } from '../../protocol/relaxation.ts';
import { verifySignature } from '../../protocol/tokens/verify-signature.ts';
import type { Adapter } from '../../server/http/adapter.ts';
import { type AppOptions, createApp } from '../../server/http/app.ts';
import type { Cookies } from '../../server/http/cookies.ts';
import { onFirstVisit } from '../../server/http/on-first-visit.ts';
import { certificateRoutes, otherRoutes } from '../../server/http/other-routes.ts';
import type { Pages } from '../../server/http/pages.ts';
import type { Handler } from '../../server/http/request-context.ts';
import { type EndpointRoute, listed, type Route } from '../../server/http/route.ts';
import { createConsent } from '../../server/http/signin/consent.ts';
import { createLogin } from '../../server/http/signin/login.ts';
import { createPageLogins } from '../../server/http/signin/page-login.ts';
import type { Views } from '../../server/http/views.ts';
import { type ControlGate, createControlGate, type Guard } from '../control/api/control-gate.ts';
import type { ControlApi } from '../control/api/router.ts';
import type { Control } from '../control/create-control.ts';
import { createMintDesk } from '../control/mint-desk.ts';
import type { Dashboard, DashboardOptions } from '../dashboard.ts';
import type { Core } from '../extension.ts';
import { applicationsOf, guardOf, listedRoutesOf, operationsOf } from '../running-extensions.ts';
import { sendToSelf } from '../self-request.ts';
import { managementOf } from './management.ts';
import { reachOf } from './reach.ts';
import { apiRulesOf, createSampleBackend, type SampleBackend } from './sample-backend/sample-backend.ts';

/** The parts that the Express app is made from. */
export interface AppParts extends Core {
  readonly adapter: Adapter;
  readonly cookies: Cookies;
  readonly pages: Pages;
  /** The path of the issuer. */
  readonly base: string;
  readonly endpoints: ReadonlyMap<EndpointRoute, Handler>;
  readonly switchedOff: AppOptions['switchedOff'];
  readonly cors: AppOptions['cors'];
  readonly views: Views;
  /** Unix seconds. */
  readonly startedAt: number;
}

/** The part of the sandbox that needs Express: pages, sample backend, dashboard, and the endpoints for browsers. */
export async function loadApp(parts: AppParts) {
  const { config, server, adapter, cookies, pages, endpoints } = parts;
  const routes = routesOf(parts);
  const api = createSampleBackend(parts);
  const guard = await guardOf(parts);
  const controls = controlsOf(parts, guard);
  const dashboard = lazyDashboard(parts, routes, { ...controls, api });
  const authorizePath = parts.base + server.paths.authorize;
  const signIn = { server, adapter, cookies, pages, mode: config.loginMode };
  const login = createLogin({ ...signIn, authorizePath });
  const pageLogins = createPageLogins({ ...signIn, routes: [...endpoints.keys()] });
  const controlApi = lazily(() => createOurControlApi(parts, controls));
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
    control: async (req, res) => (await controlApi.get()).handle(req, res),
    management: managementOf({ ...parts, ...controls }),
    api: api.router,
    templatesFolder,
    assets: parts.extensions.all.flatMap(({ assets = [] }) => assets),
    cors: parts.cors,
    rateLimit: config.rateLimit,
    loginRateLimit: config.loginRateLimit,
    counts: parts.counts,
    tls: parts.tls,
    providers: parts.modules.providers,
    unserved: parts.preset && { ...parts.preset, base: parts.base },
    links: linksTo(routes, server),
    readiness: parts.readiness,
    home: guard?.home ?? '/dashboard',
    applications: applicationsOf(parts, { ...parts, control: controls.control }),
    dashboard: pagesOf(parts, dashboard),
  });
  const closeStreams = () => endStreams(parts, dashboard?.current(), controlApi.current());
  return { listener, resetResources: api.reset, reconfigure: api.reconfigure, closeStreams };
}

function endStreams(
  { extensions }: AppParts,
  dashboard: Dashboard | undefined,
  controlApi: ControlApi | undefined,
): void {
  dashboard?.close();
  controlApi?.close();
  extensions.endStreams();
}

/** Control of the issuer, and the gate that asks for CONTROL_TOKEN; there is no gate without that token. */
interface Controls {
  readonly control: () => Promise<Control>;
  readonly gate: ControlGate | undefined;
}

function controlsOf(parts: AppParts, guard: Guard | undefined): Controls {
  const { config, server, events, collections, operations } = parts;
  const control = lazily(async () => {
    const { createControl } = await import('../control/create-control.ts');
    return createControl({ config, server, events, collections, ...operations });
  });
  return { control: control.get, gate: gateOf(parts, guard) };
}

function gateOf({ config, server: { issuer } }: AppParts, guard: Guard | undefined): ControlGate | undefined {
  const token = guard?.token ?? config.controlToken;
  return token === undefined ? undefined : createControlGate({ ...guard, token, issuer });
}

async function createOurControlApi(parts: AppParts, { control, gate }: Controls): Promise<ControlApi> {
  const { server, config, events, adapter, base, clockFor, issuers, breakpoints, faults, reload } = parts;
  const { createControlApi } = await import('../control/api/router.ts');
  const { operationsWith } = await import('../control/api/operations/index.ts');
  return createControlApi({
    operations: operationsWith(await operationsOf(parts)),
    adapter,
    inTurn: parts.inTurn,
    at: `${base}/_sandbox`,
    gate,
    controlled: {
      ...{ server, config, events, control: await control(), issuers, reload, api: apiRulesOf(parts) },
      clock: clockFor('api'),
      breakpoints: breakpoints.get,
      faults: faults.control,
    },
  });
}

function routesOf(parts: AppParts): readonly Route[] {
  const { config, endpoints, base, tls, server } = parts;
  const offered = otherRoutes.filter(({ name }) => name !== 'dashboard' || config.dashboard !== 'off');
  const others = [...offered, ...listedRoutesOf(parts), ...certificateRoutesOf(tls)];
  const pathOf = ({ name, path }: Route) => (name === 'logout' ? server.paths.confirmLogout : path);
  return [...endpoints.keys(), ...others.map(route => ({ ...route, path: base + pathOf(route) }))];
}

/** Absolute links to the routes without path parameters. Of an endpoint with several paths the one in the metadata counts. */
function linksTo(routes: readonly Route[], { issuer, paths }: AppParts['server']): Readonly<Record<string, string>> {
  const main = new Set(Object.values(paths).map(path => new URL(issuer).pathname.replace(/\/$/, '') + path));
  const complete = routes
    .filter(({ path }) => !path.includes(':'))
    .toSorted((a, b) => Number(main.has(a.path)) - Number(main.has(b.path)));
  return Object.fromEntries(complete.map(({ name, path }) => [name, new URL(issuer).origin + path]));
}

/** Only the parts that exist. */
function certificateRoutesOf(tls: AppParts['tls']): readonly Route[] {
  const { ca, clientCertificate } = certificateRoutes;
  return [...(tls?.ca === undefined ? [] : [ca]), ...(tls?.clients === undefined ? [] : [clientCertificate])];
}

/** The dashboard, which its first visit loads; undefined where it is off, or left out. */
function lazyDashboard(
  parts: AppParts,
  routes: readonly Route[],
  controls: Controls & { readonly api: SampleBackend },
): Lazy<Dashboard> | undefined {
  const pages = parts.config.dashboard === 'off' ? undefined : parts.modules.dashboard;
  if (pages === undefined) return undefined;
  return lazily(async () => {
    const create = await pages.load();
    const options = dashboardOptions(parts, routes, { ...controls, control: await controls.control() });
    return create(parts.opened?.show(options) ?? options, parts);
  });
}

/** The dashboard and the pages of extensions, by path; none where the dashboard is off. */
function pagesOf(parts: AppParts, dashboard: Lazy<Dashboard> | undefined): AppOptions['dashboard'] {
  if (dashboard === undefined) return [];
  const nothing: RequestHandler = (_req, _res, next) => next();
  const pages = (path: string) => onFirstVisit(async () => (await dashboard.get()).routers.get(path) ?? nothing);
  return (parts.modules.dashboard?.paths(parts) ?? []).map(path => [path, pages(path)]);
}

function dashboardOptions(
  parts: AppParts,
  routes: readonly Route[],
  { control, gate, api }: Pick<DashboardOptions, 'control' | 'gate'> & { readonly api: SampleBackend },
): DashboardOptions {
  const { config, server, events, views, base, startedAt, faults, issuers, shown, fileState } = parts;
  return {
    events,
    views,
    issuer: server.issuer,
    iss: server.iss,
    version,
    ...{ label: config.label, base },
    clients: config.clients,
    registered: () => server.clients.values(),
    users: config.users,
    accounts: () => server.users.values(),
    recording: config.recording,
    relaxed: () => dropInSentences(server),
    access: config.dashboard === 'readonly' ? 'readonly' : 'on',
    allowedOrigins: config.dashboardAllowedOrigins,
    control,
    inTurn: parts.inTurn,
    gate,
    mint: createMintDesk({ server, events }),
    settings: () => config.settings(),
    withoutEffect: async () => (await config.withoutEffect?.()) ?? [],
    limits: async flows =>
      (await import('../limits.ts')).limitsOf({ ...parts, flows, createdRows: await api.createdRows() }),
    ...defined({ configFile: config.configFile }),
    shown,
    scopes: config.scopes,
    collections: parts.collections.all,
    api: apiRulesOf(parts),
    endpoints: listed(routes),
    reach: reachOf(parts),
    ...{ fileState, clock: server.clock },
    time: parts.clockFor('dashboard'),
    faults,
    ...{ issuers, startedAt, maxHeaderSize: config.maxHeaderSize },
    verify: jwt => verifySignature(server, jwt),
    send: request => sendToSelf(parts, request),
  };
}
