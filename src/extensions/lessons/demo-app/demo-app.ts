import type { IncomingMessage } from 'node:http';
import express, { type Request, type Response, type Router } from 'express';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import { defined } from '../../../base/defined.ts';
import { isRecord } from '../../../base/text/record.ts';
import { isPublic } from '../../../protocol/clients/client.ts';
import type { Issuer, RouteTools } from '../../../sandbox/extension.ts';
import { sendToSelf } from '../../../sandbox/self-request.ts';
import { cookieSuffix, readCookie } from '../../../server/http/cookies.ts';
import { setHeaders } from '../../../server/http/mount.ts';
import { requireOwnOrigin } from '../../../server/http/origin-check.ts';
import { rawQuery, readParameters } from '../../../server/http/read-parameters.ts';
import { contextOf } from '../../../server/http/request-context.ts';
import { loginHeaders } from '../../../server/http/security-headers.ts';
import { keptFor } from '../learning.ts';
import type { AppCallback, AppCodeSent, AppRefused, AppSignedIn } from './app-events.ts';
import { type AppAccount, AppRefusal, type Protection, protectionNames } from './checks.ts';
import { agreedAlg } from './id-token.ts';
import {
  type AppClient,
  beginSignIn,
  finishSignIn,
  jsonOf,
  metadataOf,
  type SendToProvider,
  type SignInParts,
} from './sign-in.ts';
import { type AppState, type AppVisit, createAppState } from './visits.ts';
import { protectionWords, refusalWords } from './words.ts';

/** Parameters whose names appear in events. */
const mostNames = 20;
const mostCharacters = 200;

/**
 * A small application that signs users in at this issuer like any client. It shows the client's half of a sign-in, where many
 * mistakes are made. Each of its protections can be switched off.
 */
function createDemoApp(options: DemoAppOptions): Router {
  const desk = createAppDesk(options);
  options.onReset(desk.state.reset);
  const router = express.Router();
  router.use(setHeaders(loginHeaders), (_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  router.get('/', (req, res) => desk.show(req, res));
  router.get('/callback', (req, res) => desk.asClient(req, res, parts => callback(desk, parts, req, res)));
  router.post('/back-channel-logout', (req, res) => backChannelLogout(desk, req, res));
  router.post('/{*form}', (req, _res, next) => {
    requireOwnOrigin(req);
    next();
  });
  router.post('/sign-in', async (req, res) => {
    const { values } = await readParameters(req);
    const provider = values.get('provider') === 'second' && desk.lab?.second ? { issuer: desk.lab.second } : {};
    await desk.asClient(req, res, parts => beginSignIn({ ...parts, ...provider }, desk.visited(req, res)));
  });
  for (const [path, change] of Object.entries(changes)) {
    router.post(path, async (req, res) => {
      await change(desk, req);
      res.redirect(303, desk.at);
    });
  }
  return router;
}

/** The provider reports that a session has ended (OIDC Back-Channel Logout §2.5, §2.8). */
async function backChannelLogout({ parts }: AppDesk, req: Request, res: Response) {
  const { values } = await readParameters(req);
  const own = parts();
  const problem =
    own === undefined ? 'the app is not registered' : await signOutByToken(own, values.get('logout_token') ?? '');
  if (problem === undefined) return void res.status(200).end();
  res.status(400).json({ error: 'invalid_request', error_description: problem });
}

async function callback({ emit, at, visited }: AppDesk, parts: SignInParts, req: Request, res: Response) {
  const { client_id } = parts.client;
  const answer = new URLSearchParams(rawQuery(req));
  emit(req, { type: 'app.callback', client_id, parameters: [...new Set(answer.keys())].slice(0, mostNames) });
  const visit = visited(req, res);
  const onCodeSent = (issuer: string) => emit(req, { type: 'app.code_sent', client_id, issuer });
  try {
    const { claimed, account, sid } = await finishSignIn({ ...parts, onCodeSent }, visit, answer);
    const before = defined({ before: visit.account?.sub });
    Object.assign(visit, { account, sid });
    emit(req, {
      type: 'app.signed_in',
      client_id,
      iss: claimed.iss,
      sub: claimed.sub,
      account: account.sub,
      ...before,
    });
    return at;
  } catch (error) {
    if (error instanceof AppRefusal) {
      const { why, sent, expected } = error;
      emit(req, { type: 'app.refused', client_id, why, sent: sent.slice(0, mostCharacters), expected });
    }
    throw error;
  }
}

/** The forms that change the app, by path. */
const changes: Readonly<Record<string, (desk: AppDesk, req: Request) => Promise<void> | void>> = {
  '/sign-out'({ visitOf }, req) {
    const visit = visitOf(req);
    if (visit !== undefined) visit.account = undefined;
  },
  async '/protections'({ state, lab }, req) {
    const { values } = await readParameters(req);
    if (lab?.isMystery === true) return;
    state.protections = new Set(protectionNames.filter(name => values.has(name)));
  },
  '/register': ({ register }) => register(),
  '/reset': ({ state }) => state.reset(),
};

/** The app of a lab: it can be careless, and can have a second provider. */
interface AppLab {
  unprotected(): readonly Protection[];
  /** The issuer of the second provider; empty if there is none. */
  readonly second: string;
  /** The app does not tell what it checks. */
  readonly isMystery: boolean;
}

interface DemoAppOptions {
  readonly issuer: string;
  readonly at: string;
  /** The registration of the app; undefined if it is not registered or cannot sign users in. */
  readonly client: () => AppClient | undefined;
  /** Absent outside labs. */
  readonly lab?: AppLab;
  readonly register: () => Promise<void>;
  readonly send: SendToProvider;
  readonly emit: (req: IncomingMessage, fact: AppCallback | AppCodeSent | AppSignedIn | AppRefused) => void;
  readonly render: (page: DemoAppPage) => Promise<string>;
  /** Unix seconds. */
  readonly now: () => number;
  /** Calls the listener when the sandbox is reset. */
  readonly onReset: (listener: () => void) => void;
}

type AppDesk = ReturnType<typeof createAppDesk>;

function createAppDesk({ render, client, ...options }: DemoAppOptions) {
  const { issuer, at, send, now, lab } = options;
  const state = createAppState(lab?.unprotected);
  const cookie = `grantbox_demo_app${cookieSuffix(issuer)}`;
  /** The visit of this browser; undefined before its first action. */
  const visitOf = (req: Request) => state.visit(readCookie(req, cookie));

  async function page(req: Request, res: Response, refusal?: AppRefusal): Promise<void> {
    const second = lab?.second ?? '';
    const isMystery = lab?.isMystery === true;
    const shown = { at, issuer, second, isMystery, client: client(), account: visitOf(req)?.account, refusal };
    const html = await render(pageOf(shown, state));
    const status = refusal === undefined ? 200 : 400;
    res.status(status).type('html').send(html);
  }
  /** The app as a client; undefined if it is not registered. */
  function parts(): SignInParts | undefined {
    const own = client();
    return own === undefined ? undefined : { issuer, client: own, state, send, now };
  }
  return {
    ...options,
    parts,
    state,
    visitOf,
    /** The visit of this browser; begins one if there is none. */
    visited(req: Request, res: Response): AppVisit {
      const known = visitOf(req);
      if (known !== undefined) return known;
      const { id, visit } = state.open();
      res.cookie(cookie, id, { httpOnly: true, sameSite: 'lax', secure: issuer.startsWith('https:'), path: at });
      return visit;
    },
    show: (req: Request, res: Response) => page(req, res),
    /** Runs work that needs a registration, and redirects to the returned address. Shows a refusal, or that the registration is missing. */
    async asClient(req: Request, res: Response, work: (parts: SignInParts) => Promise<string>): Promise<void> {
      const own = parts();
      if (own === undefined) return page(req, res);
      try {
        res.redirect(303, await work(own));
      } catch (error) {
        if (!(error instanceof AppRefusal)) throw error;
        await page(req, res, error);
      }
    },
  };
}

type DemoAppPage = ReturnType<typeof pageOf>;

interface Shown {
  readonly at: string;
  readonly issuer: string;
  /** The second provider; empty if there is none. */
  readonly second: string;
  readonly isMystery: boolean;
  readonly client: AppClient | undefined;
  readonly account: AppAccount | undefined;
  readonly refusal: AppRefusal | undefined;
}

function pageOf({ refusal, isMystery, ...shown }: Shown, { protections, accounts }: AppState) {
  return {
    ...shown,
    accounts: [...accounts.values()],
    protections: isMystery
      ? undefined
      : protectionNames.map(name => ({ name, isOn: protections.has(name), ...protectionWords[name] })),
    refusal:
      refusal === undefined
        ? undefined
        : { text: refusalWords[refusal.why], sent: refusal.sent, expected: refusal.expected },
  };
}

/** Member of `events` in a logout token (OIDC Back-Channel Logout §2.4). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Signs out all users of the session in a logout token (OIDC Back-Channel Logout §2.6). The switches of the app do not
 * weaken this check.
 * @returns the reason to refuse the token; undefined for a valid token
 */
async function signOutByToken(parts: SignInParts, logoutToken: string): Promise<string | undefined> {
  const { issuer, client, state, send, now } = parts;
  const { jwks_uri } = await metadataOf(issuer, send);
  const keys = (await jsonOf(send(jwks_uri))) as JSONWebKeySet; // our own server sends this type
  try {
    const { payload } = await jwtVerify(logoutToken, createLocalJWKSet(keys), {
      issuer,
      audience: client.client_id,
      algorithms: [agreedAlg],
      currentDate: new Date(now() * 1000),
    });
    const problem = problemOf(payload);
    if (problem === undefined) state.endSession(String(payload.sid));
    return problem;
  } catch (error) {
    if (error instanceof errors.JOSEError) return error.message;
    throw error;
  }
}

/** Tells a logout token from an ID token, which has no `events` and may have a `nonce`. */
function problemOf({ events, nonce, sid }: JWTPayload): string | undefined {
  if (!isRecord(events) || !isRecord(events[logoutEvent])) return 'events does not have the logout event';
  if (nonce !== undefined) return 'a logout token must not have a nonce';
  return typeof sid === 'string' ? undefined : 'the logout token names no session: sid is missing';
}

/** The demo app of an issuer. */
export function demoAppOf(issuer: Issuer, { base, views, control }: RouteTools): Router {
  const { server, events } = issuer;
  const { lab } = keptFor(issuer);
  const client_id = lab === undefined ? 'demo-app' : 'lab-app';
  const redirect_uri = `${server.issuer}/demo-app/callback`;
  const backchannel_logout_uri = `${server.issuer}/demo-app/back-channel-logout`;
  return createDemoApp({
    issuer: server.issuer,
    at: `${base}/demo-app`,
    client: () => registrationOf(issuer, client_id, redirect_uri),
    async register() {
      const told = server.features.has('backchannel-logout') ? { backchannel_logout_uri } : {};
      const members = {
        client_id,
        client_name: 'Demo app',
        redirect_uris: [redirect_uri],
        ...publicApp,
        ...told,
      };
      await (await control()).apply({ kind: 'client.create', members }, 'dashboard');
    },
    lab: lab && {
      unprotected: () => [...(lab.weak.always ?? []), ...(lab.isDefended ? [] : (lab.weak.unprotected ?? []))],
      second: lab.second,
      isMystery: lab.missing !== undefined,
    },
    send: sendFrom(issuer),
    emit: (req, fact) => contextOf(req).emit(fact),
    render: page => views.page('lessons/demo-app', { page }),
    now: server.clock,
    onReset: listener => void events.overhear(event => event.type === 'sandbox.reset' && listener()),
  });
}

const publicApp = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
  scope: 'openid profile email',
} as const;

/** Undefined for a client of that name that cannot come back to the app. */
function registrationOf({ server }: Issuer, client_id: string, redirect_uri: string): AppClient | undefined {
  const client = server.clients.get(client_id);
  if (client === undefined || !client.redirect_uris.includes(redirect_uri)) return undefined;
  const { client_secret, scope } = client;
  return { client_id, redirect_uri, scope, client_secret: isPublic(client) ? undefined : client_secret };
}

/** Every address of an issuer of this process is answered at its own socket. */
function sendFrom(issuer: Issuer): SendToProvider {
  return (url, request) => {
    const { host, pathname, search } = new URL(url);
    return sendToSelf(issuer, {
      method: request?.body === undefined ? 'GET' : 'POST',
      path: pathname + search,
      headers: { ...request?.headers, Host: host },
      body: request?.body ?? '',
    });
  };
}
