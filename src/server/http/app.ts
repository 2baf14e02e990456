import type { IncomingMessage, RequestListener } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { confirmLogout } from '../../protocol/endpoints/end-session.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { type Feature, features } from '../../protocol/feature.ts';
import { parseParameters, shorten } from '../../protocol/parameters.ts';
import type { Adapter, HandlerOutcome } from './adapter.ts';
import { jsonAnswer, redirectAnswer } from './answer.ts';
import { type CertificateOptions, mountCertificates } from './certificates.ts';
import { type CorsOptions, type CorsSettings, corsBefore, createCors, expectedOrigins, mayCall } from './cors.ts';
import { asJson, asPage } from './error-replies.ts';
import { faultyApi } from './faulty-api.ts';
import { type Meant, meantEndpoint, pointerTo } from './habits.ts';
import { probes } from './health.ts';
import { type ManagedCalls, mountManagement, mountSelectedCalls } from './managed-calls.ts';
import { mount, named, setHeaders, tellRequestId, wrongMethod } from './mount.ts';
import { foreignPage, requireOwnOrigin } from './origin-check.ts';
import { type CallCounts, createRateLimit } from './rate-limit.ts';
import { rawQuery, readForm } from './read-parameters.ts';
import type { Readiness } from './readiness.ts';
import { tapResponse } from './recording.ts';
import { contextOf, type Handler, type Middleware } from './request-context.ts';
import type { EndpointRoute } from './route.ts';
import { controlHeaders, dashboardHeaders } from './security-headers.ts';
import { serveAssets } from './serve-assets.ts';
import type { PageLogin } from './signin/page-login.ts';
import { type ProviderPaths, refuseUnknownPath, type UnservedCalls } from './unknown-path.ts';

export interface AppOptions {
  readonly server: AuthorizationServer;
  /** Path of the issuer, which precedes all its paths; mostly empty. */
  readonly base: string;
  readonly adapter: Adapter;
  readonly endpoints: ReadonlyMap<EndpointRoute, Handler>;
  /** Paths of features that are switched off. */
  readonly switchedOff: readonly { readonly path: string; readonly feature: Feature }[];
  readonly login: (req: IncomingMessage) => Promise<HandlerOutcome>;
  /** Logins that lead to a page of the sandbox, by their path under `/login`. */
  readonly pageLogins: ReadonlyMap<string, PageLogin>;
  readonly consent: (req: IncomingMessage) => Promise<HandlerOutcome>;
  /** The control API, below `/_sandbox`. */
  readonly control: Handler;
  /** The management API of the provider. */
  readonly management: readonly ManagedCalls[];
  /** The dashboard and the pages beside it, by path; none if it is off. */
  readonly dashboard: readonly (readonly [path: string, pages: RequestHandler])[];
  /** Programs that only play a part, below their paths. */
  readonly applications: readonly Application[];
  /** The router of the sample backend. */
  readonly api: RequestHandler;
  readonly templatesFolder: string;
  /** The scripts and styles of extensions, by their names in `templates/assets/`. */
  readonly assets: readonly string[];
  readonly cors: CorsOptions;
  /** The providers that there are, with their paths. */
  readonly providers: readonly ProviderPaths[];
  /** Calls of the provider that the issuer speaks like; absent without a preset. */
  readonly unserved?: UnservedCalls | undefined;
  /** Requests per minute and address; 0 means no limit. */
  readonly rateLimit: number;
  readonly loginRateLimit: number;
  /** Where calls are counted; absent: in this process. */
  readonly counts?: CallCounts | undefined;
  /** Certificates made on start. */
  readonly tls?: CertificateOptions | undefined;
  /** The path to which `GET /` sends a browser. */
  readonly home: string;
  /** Answer to `GET /` for callers that are not browsers. */
  readonly links: object;
  readonly readiness: Readiness;
}

/** A program that answers below a path. */
export interface Application {
  readonly path: string;
  /** The name of its requests in the log. */
  readonly name: string;
  readonly handler: RequestHandler;
}

/** Everything the sandbox answers, on one screen. */
export function createApp(options: AppOptions): RequestListener {
  const { adapter, base, server } = options;
  const at = (path: string) => base + path;
  const app = express().disable('x-powered-by').disable('etag');
  app.enable('strict routing').enable('case sensitive routing'); // an address that fails on other servers fails here too
  const page = (work: (req: IncomingMessage) => Promise<HandlerOutcome>) => [adapter.answering(asPage, work)];
  const { limitLogin, limitGuesses } = loginLimits(options);

  app.use(tellRequestId);
  mountSelectedCalls(app, options.management, options.cors);
  for (const [route, handle] of options.endpoints) mountEndpoint(app, route, handle, options);
  mountSwitchedOff(app, options);
  mountRoots(app, options);
  const GET = page(async req => redirectAnswer(303, `${at(server.paths.authorize)}?${rawQuery(req)}`));
  const POST = [limitGuesses, ...page(options.login)];
  mount(app, adapter, { name: 'login', path: at('/login'), form: asPage, GET, POST });
  mount(app, adapter, { name: 'consent', path: at('/consent'), form: asPage, GET, POST: page(options.consent) });
  for (const [purpose, { open, login }] of options.pageLogins) {
    mount(app, adapter, {
      name: 'login',
      path: at(`/login/${purpose}`),
      form: asPage,
      GET: page(async req => open(req)),
      POST: [limitLogin, ...page(login)],
    });
  }
  mountLogout(app, options);
  mountCertificates(app, options);
  app.use(at('/assets'), named('assets'), serveAssets(options.templatesFolder, options.assets));
  for (const { path, name, handler } of options.applications) app.use(at(path), named(name), handler);
  for (const [path, pages] of options.dashboard)
    app.use(at(path), named('dashboard'), setHeaders(dashboardHeaders), pages);

  leadToIssuer(app, options);
  const lost = [corsOfMeant(options), asked(adapter, req => nowhere(req, options), options.unserved?.form)];
  mountApis(app, options, lost);
  app.use(lost);
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => fail(error, adapter)(req, res));
  return app;
}

/** The root and the probes, which are also below the path of the issuer, and below that of its identifier. */
function mountRoots(app: express.Express, options: AppOptions): void {
  const { adapter, base, server, readiness } = options;
  const { origin } = new URL(server.issuer);
  const own = URL.canParse(server.iss) ? new URL(server.iss) : undefined;
  const identified = own?.origin === origin ? own.pathname.replace(/\/+$/, '') : base;
  for (const path of new Set(['', base, identified])) {
    const root = adapter.answering(asPage, async req => home(req, options));
    mount(app, adapter, { name: 'root', path: path || '/', form: asJson, GET: [root] });
    for (const [below, [name, answer]] of Object.entries(probes)) {
      const GET = [adapter.answering(asJson, () => answer(server, readiness))];
      mount(app, adapter, { name, path: path + below, form: asJson, GET });
    }
  }
}

/** The documented addresses of the pages lead to those of an issuer that has a path, as the issuers of presets have. */
function leadToIssuer(app: express.Express, { base, dashboard }: AppOptions): void {
  if (base === '') return;
  for (const [path] of dashboard)
    app.use(path, named('dashboard'), (req, res, next) => {
      if (req.method !== 'GET' && req.method !== 'HEAD') return next();
      res.redirect(302, base + req.originalUrl);
    });
}

/**
 * Takes the confirmation from our logout page. Other servers end sessions at this path, so a GET is answered with the
 * address of the logout endpoint.
 */
function mountLogout(app: express.Express, options: AppOptions): void {
  const { adapter, base, server } = options;
  const elsewhere = asked(adapter, req => wrongMethod(req, ['POST'], pointerTo(meantAt('/logout', options))));
  mount(app, adapter, {
    name: 'logout',
    path: base + server.paths.confirmLogout,
    form: asPage,
    before: [(req, res, next) => (req.method === 'GET' ? elsewhere(req, res) : next())],
    POST: [adapter.answering(asPage, async req => logout(req, options))],
  });
}

/**
 * The APIs by which tests and programs change the sandbox, and the sample backend. A preset may have an API of its own below
 * `/api`, whose paths come first: those that it lacks are `lost`.
 */
function mountApis(app: express.Express, options: AppOptions, lost: readonly RequestHandler[]): void {
  const { base, control, management, unserved, cors, api } = options;
  app.use(`${base}/_sandbox`, named('control'), setHeaders(controlHeaders), (req, res) => control(req, res));
  mountManagement(app, management);
  for (const { path } of unserved?.unserved ?? []) app.use(base + path, ...lost);
  app.use(`${base}/api`, named('api'), tapResponse, ...corsBefore('clients', cors), faultyApi(cors.faults), api);
}

/** Answers the paths of features that are switched off with 501 and a sentence. */
function mountSwitchedOff(app: express.Express, options: AppOptions): void {
  const { switchedOff, adapter } = options;
  for (const { path, feature } of switchedOff) {
    const what = `${features[feature]}: it is switched off`;
    const off = async (req: IncomingMessage) => notImplemented(req, what, `FEATURES=${feature}=on`);
    app.all(path, named('not_offered'), createCors('clients', options.cors), adapter.answering(asJson, off));
  }
}

function mountEndpoint(app: express.Express, route: EndpointRoute, handle: Handler, options: AppOptions): void {
  const { name, path, form, methods, cors, credentials, limited } = route;
  const { adapter, rateLimit, loginRateLimit, counts } = options;
  const before = cors === undefined ? [] : corsBefore(cors, options.cors, credentials);
  const limit = limited === 'login' ? loginRateLimit : rateLimit;
  const handlers = [
    ...(route.knownPages ? [knownPages(adapter, route, options.cors)] : []),
    ...(limited ? [createRateLimit({ name: `${name} endpoint`, limit, adapter, form, counts })] : []),
    handle,
  ];
  mount(app, adapter, {
    name,
    path,
    form,
    before,
    ...Object.fromEntries(methods.map(method => [method, handlers])),
  });
}

async function logout(req: IncomingMessage, { server, adapter, base }: AppOptions): Promise<HandlerOutcome> {
  requireOwnOrigin(req);
  const form = parseParameters(await readForm(req));
  if (form.values.get('decision') !== 'logout') return redirectAnswer(303, base || '/');
  return confirmLogout(server, adapter.endpointRequest(req, form));
}

function home(req: IncomingMessage, { dashboard, home, links, base }: AppOptions): HandlerOutcome {
  const isBrowser = dashboard.length > 0 && namesHtml(req);
  return isBrowser ? redirectAnswer(302, base + home) : jsonAnswer(200, links);
}

function notImplemented(req: IncomingMessage, what: string, expected: string): never {
  const details = { status: 501, sent: pathSent(req), expected };
  throw new OAuthError('invalid_request', 'not_offered', `this sandbox does not offer ${what}`, details);
}

function pathSent(req: IncomingMessage & { readonly originalUrl?: string }): string {
  return (req.originalUrl ?? req.url ?? '').split('?', 1)[0]?.slice(0, 200) ?? '';
}

/** Answers with a page where `Accept` names HTML, as a browser does. A program that accepts anything gets JSON. */
function asked(adapter: Adapter, refuse: (req: IncomingMessage) => never, program = asJson): Handler {
  const [page, json] = [asPage, program].map(form => adapter.answering(form, async req => refuse(req)));
  return (req, res) => (namesHtml(req) ? page : json)?.(req, res);
}

function namesHtml({ headers: { accept = '' } }: IncomingMessage): boolean {
  return /text\/html/i.test(accept);
}

function nowhere(req: IncomingMessage, options: AppOptions): never {
  const sent = pathSent(req);
  const client_id = new URLSearchParams(rawQuery(req)).get('client_id');
  if (client_id) contextOf(req).client_id ??= shorten(client_id);
  refuseUnknownPath(sent, meantAt(sent, options), options);
}

function meantAt(path: string, { endpoints, server }: AppOptions): Meant | undefined {
  return meantEndpoint(path, server.issuer, endpoints.keys());
}

/** Applies the CORS rules of the endpoint that was meant, so that a page can read the error of a wrong address. */
function corsOfMeant(options: AppOptions): RequestHandler {
  return (req, res, next) => {
    const reach = meantAt(pathSent(req), options)?.cors;
    if (reach === undefined) return next();
    createCors(reach, options.cors)(req, res, next);
  };
}

/** Errors of Express itself, such as for broken percent-encoding in a path, are the caller's mistake. */
function fail(error: unknown, adapter: Adapter) {
  return adapter.answering(asPage, async () => {
    const status = (error as { status?: unknown } | undefined)?.status;
    if (error instanceof OAuthError || typeof status !== 'number' || status < 400 || status > 499) throw error;
    throw new OAuthError('invalid_request', 'path_unknown', 'the address of this request is not readable', { status });
  });
}

interface LoginLimitOptions {
  readonly adapter: Adapter;
  /** Logins a minute and address; 0: no limit. */
  readonly loginRateLimit: number;
  readonly counts?: CallCounts | undefined;
}

/** Limits of logins. One counts only refused ones: a pipeline may log in hundreds of times from one address. */
function loginLimits({
  adapter,
  loginRateLimit: limit,
  counts,
}: LoginLimitOptions): Readonly<Record<'limitLogin' | 'limitGuesses', RequestHandler>> {
  const shared = { limit, adapter, form: asPage, counts };
  return {
    limitLogin: createRateLimit({ ...shared, name: 'login' }),
    limitGuesses: createRateLimit({ ...shared, name: 'guesses', counting: 'refused' }),
  };
}

/** Refuses what pages send that CORS does not reach. CORS alone would hide the answer and let the change happen. */
function knownPages(
  adapter: Adapter,
  { form, cors = 'listed' }: Pick<EndpointRoute, 'form' | 'cors'>,
  settings: CorsSettings,
): Middleware {
  const refuse = adapter.answering(form, async req => {
    throw new OAuthError('invalid_request', 'foreign_origin', 'no client has a page at this origin', {
      status: 403,
      sent: shorten(foreignPage(req) ?? 'no origin'),
      expected: expectedOrigins(cors, settings),
    });
  });
  return (req, res, next) => {
    const page = foreignPage(req);
    if (page === undefined || mayCall(page, cors, settings)) next();
    else refuse(req, res);
  };
}
