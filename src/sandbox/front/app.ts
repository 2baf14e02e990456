import type { RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import { type Lazy, lazily } from '../../base/lazily.ts';
import { templatesFolder } from '../../package.ts';
import { randomSecret } from '../../protocol/random.ts';
import type { Adapter } from '../../server/http/adapter.ts';
import { type AppOptions, createApp } from '../../server/http/app.ts';
import type { Cookies } from '../../server/http/cookies.ts';
import type { ManagedCalls } from '../../server/http/managed-calls.ts';
import { onFirstVisit } from '../../server/http/on-first-visit.ts';
import { certificateRoutes, otherRoutes } from '../../server/http/other-routes.ts';
import type { Pages } from '../../server/http/pages.ts';
import type { Handler } from '../../server/http/request-context.ts';
import { type EndpointRoute, listed, type Route } from '../../server/http/route.ts';
import { createConsent } from '../../server/http/signin/consent.ts';
import { createLogin } from '../../server/http/signin/login.ts';
import { createPageLogins } from '../../server/http/signin/page-login.ts';
import type { Views } from '../../server/http/views.ts';
import { type ControlGate, createControlGate } from '../control/api/control-gate.ts';
import type { ControlApi } from '../control/api/router.ts';
import { clockOf } from '../control/clock-of.ts';
import type { Control } from '../control/create-control.ts';
import type { Dashboard, Issuer } from '../extension.ts';
import { applicationsOf, guardOf, listedRoutesOf, operationsOf } from '../running-extensions.ts';
import { apiRulesOf, createSampleBackend } from './sample-backend/sample-backend.ts';

/** What the front of an issuer has made already. */
export interface FrontParts {
  /** The path of the issuer. */
  readonly base: string;
  readonly adapter: Adapter;
  readonly cookies: Cookies;
  readonly pages: Pages;
  readonly endpoints: ReadonlyMap<EndpointRoute, Handler>;
  readonly switchedOff: AppOptions['switchedOff'];
  readonly cors: AppOptions['cors'];
  readonly views: Views;
  /** Unix seconds. */
  readonly startedAt: number;
}

/** The part of an issuer that needs Express: pages, sample backend, dashboard, and the endpoints for browsers. */
export async function loadApp(issuer: Issuer, parts: FrontParts) {
  const { config, server, sandbox, extensions } = issuer;
  const { base, adapter, cookies, pages, endpoints, views } = parts;
  const guard = await guardOf(issuer);
  const token = guard?.token ?? config.controlToken;
  const gate = token === undefined ? undefined : createControlGate({ ...guard, token, issuer: server.issuer });
  const control = lazily(async () => (await import('../control/create-control.ts')).createControl(issuer));
  const controlApi = lazily(async () => createOurControlApi(issuer, parts, await control.get(), gate));
  const api = createSampleBackend(issuer);
  const routes = routesOf(issuer, parts);
  const dashboard = lazily(async () => {
    const create = await sandbox.modules.dashboard?.load();
    const tools = { views, gate, endpoints: listed(routes), startedAt: parts.startedAt, createdRows: api.createdRows };
    return create?.(issuer, { ...tools, control: await control.get() });
  });
  const authorizePath = base + server.paths.authorize;
  const signIn = { server, adapter, cookies, pages, mode: config.loginMode };

  const listener: RequestListener = createApp({
    server,
    base,
    adapter,
    endpoints,
    switchedOff: parts.switchedOff,
    login: createLogin({ ...signIn, authorizePath }),
    consent: createConsent({ server, adapter, cookies, authorizePath }),
    pageLogins: createPageLogins({ ...signIn, routes: [...endpoints.keys()] }),
    control: async (req, res) => (await controlApi.get()).handle(req, res),
    management: managementOf(issuer, adapter, control, gate),
    api: api.router,
    templatesFolder,
    assets: extensions.all.flatMap(({ assets = [] }) => assets),
    cors: parts.cors,
    rateLimit: config.rateLimit,
    loginRateLimit: config.loginRateLimit,
    counts: issuer.state.counts,
    tls: sandbox.tls,
    providers: sandbox.modules.providers,
    unserved: issuer.preset && { ...issuer.preset, base },
    links: linksTo(routes, server),
    readiness: sandbox.readiness,
    home: guard?.home ?? '/dashboard',
    applications: applicationsOf(issuer, { base, adapter, views, control: control.get }),
    dashboard: dashboardPages(issuer, dashboard),
  });
  function closeStreams(): void {
    dashboard.current()?.close();
    controlApi.current()?.close();
    extensions.endStreams();
  }
  return { listener, resetResources: api.reset, reconfigure: api.reconfigure, closeStreams };
}

async function createOurControlApi(
  issuer: Issuer,
  { base, adapter }: FrontParts,
  control: Control,
  gate: ReturnType<typeof createControlGate> | undefined,
): Promise<ControlApi> {
  const { createControlApi } = await import('../control/api/router.ts');
  const { operationsWith } = await import('../control/api/operations/index.ts');
  const { eventTypesOf } = await import('../added-events.ts');
  const { server, config, events, extensions, breakpoints, faults, first } = issuer;
  return createControlApi({
    operations: operationsWith(await operationsOf(issuer)),
    adapter,
    inTurn: issuer.state.inTurn,
    at: `${base}/_sandbox`,
    gate,
    controlled: {
      server,
      config,
      events,
      eventTypes: eventTypesOf(extensions.all),
      control,
      api: apiRulesOf(issuer),
      clock: clockOf(issuer, 'api'),
      issuers: first?.issuers,
      reload: first?.reload,
      breakpoints: breakpoints.get,
      faults: faults.control,
    },
  });
}

function routesOf(issuer: Issuer, { endpoints, base }: FrontParts): readonly Route[] {
  const { config, server, sandbox } = issuer;
  const offered = otherRoutes.filter(({ name }) => name !== 'dashboard' || config.dashboard !== 'off');
  const others = [...offered, ...listedRoutesOf(issuer), ...certificateRoutesOf(sandbox.tls)];
  const pathOf = ({ name, path }: Route) => (name === 'logout' ? server.paths.confirmLogout : path);
  return [...endpoints.keys(), ...others.map(route => ({ ...route, path: base + pathOf(route) }))];
}

/** Absolute links to the routes without path parameters. Of an endpoint with several paths the one in the metadata counts. */
function linksTo(routes: readonly Route[], { issuer, paths }: Issuer['server']): Readonly<Record<string, string>> {
  const main = new Set(Object.values(paths).map(path => new URL(issuer).pathname.replace(/\/$/, '') + path));
  const complete = routes
    .filter(({ path }) => !path.includes(':'))
    .toSorted((a, b) => Number(main.has(a.path)) - Number(main.has(b.path)));
  return Object.fromEntries(complete.map(({ name, path }) => [name, new URL(issuer).origin + path]));
}

/** Only the parts that exist. */
function certificateRoutesOf(tls: Issuer['sandbox']['tls']): readonly Route[] {
  const { ca, clientCertificate } = certificateRoutes;
  return [...(tls?.ca === undefined ? [] : [ca]), ...(tls?.clients === undefined ? [] : [clientCertificate])];
}

/** The dashboard and the pages of extensions, by path, loaded with their first visit; none where the dashboard is off. */
function dashboardPages(issuer: Issuer, dashboard: Lazy<Dashboard | undefined>): AppOptions['dashboard'] {
  if (issuer.config.dashboard === 'off') return [];
  const nothing: RequestHandler = (_req, _res, next) => next();
  const pages = (path: string) => onFirstVisit(async () => (await dashboard.get())?.routers.get(path) ?? nothing);
  return (issuer.sandbox.modules.dashboard?.paths(issuer) ?? []).map(path => [path, pages(path)]);
}

/** The management API of the preset by its paths, loaded with the first call. It makes each change by the control. */
export function managementOf(
  { preset, server, events, sandbox, state }: Issuer,
  adapter: Adapter,
  control: Lazy<Control>,
  gate: ControlGate | undefined,
): readonly ManagedCalls[] {
  const { management } = preset ?? {};
  if (preset === undefined || management === undefined) return [];
  const address = preset.addressOf(server.issuer);
  const api = lazily(async () => {
    const create = await management.load();
    return create({
      server,
      control: await control.get(),
      events,
      adapter,
      address,
      secret: state.sandboxSecret?.('management') ?? ofProcess,
      inTurn: state.inTurn,
      requireControlToken: gate?.requireTyped,
    });
  });
  const handle: Handler = (req, res) => {
    api.get().then(
      answer => answer(req, res),
      error => {
        sandbox.log.error(error, 'sandbox');
        res.destroy();
      },
    );
  };
  const { header } = management;
  return [
    ...preset.managedPaths(server.issuer).map(path => ({ path, handle })),
    ...(header === undefined ? [] : [{ path: new URL(address).pathname.replace(/\/$/, ''), header, handle }]),
  ];
}

/** Issuers of one address have one realm `master`, so they share it. */
const ofProcess = randomSecret();
