import type { EventFact, EventType } from '../../src/base/events/event.ts';
import { createMemoryStore } from '../../src/base/store.ts';
import { type AuthorizationServer, defaultPaths, type Registration } from '../../src/protocol/authorization-server.ts';
import type { RegisteredClient } from '../../src/protocol/clients/client.ts';
import { createClientDirectory } from '../../src/protocol/clients/client-directory.ts';
import { authorize } from '../../src/protocol/endpoints/authorize.ts';
import type { EndpointRequest, Reply } from '../../src/protocol/endpoints/endpoint.ts';
import { token } from '../../src/protocol/endpoints/token.ts';
import { OAuthError } from '../../src/protocol/errors.ts';
import { featureNames } from '../../src/protocol/feature.ts';
import { grants } from '../../src/protocol/grants/index.ts';
import { type Outbound, OutboundError } from '../../src/protocol/outbound.ts';
import { parseParameters } from '../../src/protocol/parameters.ts';
import { systemRandom } from '../../src/protocol/random.ts';
import { s256 } from '../../src/protocol/requests/pkce.ts';
import type { ScopeDefinition } from '../../src/protocol/scope.ts';
import type { TokenResponse } from '../../src/protocol/tokens/issue-tokens.ts';
import { generateSigningKey, type SigningKey } from '../../src/protocol/tokens/signing-key.ts';
import { createSigningKeys } from '../../src/protocol/tokens/signing-keys.ts';
import { type Session, startSession } from '../../src/protocol/users/session.ts';
import { createUserDirectory, type TestUser, type UserDirectory } from '../../src/protocol/users/user.ts';
import { readRegisteredClient } from '../../src/sandbox/config/client/read-client.ts';
import { publicClient } from './client.ts';

export const now = 1_700_000_000;
export const issuer = 'http://localhost:9000';
export const callback = 'http://localhost:5173/callback';
export const verifier = 'a-verifier-of-43-characters-0123456789._~ABC';
export const challenge = s256(verifier);

const client: RegisteredClient = {
  ...publicClient,
  redirect_uris: [callback],
  post_logout_redirect_uris: ['http://localhost:5173/'],
  scope: 'openid profile email offline_access bikes:read products:read products:write',
  id_token_signed_response_alg: 'ES256',
  loopback_redirects: false,
};

export const frontend: RegisteredClient = {
  ...client,
  client_id: 'frontend',
  client_name: 'Demo front end',
  loopback_redirects: true,
};

export const sensor: RegisteredClient = {
  ...client,
  client_id: 'sensor',
  client_name: 'Demo sensor',
  client_secret: 'sensor-secret',
  token_endpoint_auth_methods: ['client_secret_basic'],
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
  post_logout_redirect_uris: [],
  scope: 'telemetry:write',
  require_pkce: false,
};

/** A confidential web application, as the OpenID Connect basic plan has them: a secret, no PKCE. */
export const web: RegisteredClient = {
  ...client,
  client_id: 'web',
  client_name: 'Web shop',
  client_secret: 'web-secret',
  token_endpoint_auth_methods: ['client_secret_basic', 'client_secret_post'],
  redirect_uris: ['https://shop.example/callback', 'https://shop.example/other?tenant=1'],
  post_logout_redirect_uris: ['https://shop.example/bye', 'https://shop.example/bye?from=sandbox'],
  require_pkce: false,
};

export const users: readonly TestUser[] = [
  {
    sub: 'alice',
    username: 'alice',
    claims: { name: 'Alice Archer', email: 'alice@example.com', email_verified: true, roles: ['admin'] },
    access_token_claims: { roles: ['admin', 'buyer'] },
  },
  { sub: 'bob', username: 'Bobby', password: 'bob-password', claims: { name: 'Bob Brewer' }, access_token_claims: {} },
  {
    sub: 'carol',
    username: 'carol',
    claims: { email: 'Carol@Example.com', email_verified: false },
    access_token_claims: {},
  },
];

const scopes: readonly ScopeDefinition[] = [
  { name: 'openid', description: 'know who you are', claims: [], access_token_claims: {} },
  { name: 'profile', description: 'see your profile', claims: ['name', 'nickname'], access_token_claims: {} },
  { name: 'email', description: 'see your e-mail', claims: ['email', 'email_verified'], access_token_claims: {} },
  { name: 'offline_access', description: 'keep access', claims: [], access_token_claims: {} },
  { name: 'bikes:read', description: 'see the bikes', claims: [], access_token_claims: { fleet: 'city' } },
];

/** One key for each algorithm and process: making an RSA key takes longer than a hundred tests. */
const madeKeys = new Map<string, Promise<SigningKey>>();

function begunKeys(algs: readonly string[]): ReadonlyMap<string, Promise<SigningKey>> {
  for (const alg of algs) if (!madeKeys.has(alg)) madeKeys.set(alg, generateSigningKey(alg));
  return madeKeys;
}

export type Parameters = Readonly<Record<string, string>> | readonly (readonly [string, string])[] | string;

export type Sent = Partial<Omit<EndpointRequest, 'parameters' | 'emit'>>;

export interface TestServer {
  readonly server: AuthorizationServer;
  readonly users: UserDirectory;
  /** Everything that was emitted, oldest first. */
  readonly events: EventFact[];
  /** Moves the clock. */
  pass(seconds: number): void;
  request(parameters: Parameters, sent?: Sent): EndpointRequest;
  token(parameters: Parameters, authorization?: string): Promise<TokenResponse>;
  login(sub?: string): Promise<Session>;
  /** An authorization request of `frontend` with PKCE; the answer of the endpoint. */
  authorize(parameters?: Readonly<Record<string, string>>, session?: Session): Promise<Reply>;
  /** The parameters of its answer, wherever they are. */
  answer(parameters?: Readonly<Record<string, string>>, session?: Session): Promise<URLSearchParams>;
  /** A code for `frontend`, by alice where no session is given. */
  code(parameters?: Readonly<Record<string, string>>, session?: Session): Promise<string>;
  /** A whole login: the tokens that a fresh code gives. */
  tokens(parameters?: Readonly<Record<string, string>>, session?: Session): Promise<TokenResponse>;
}

export interface TestServerOptions extends Partial<Omit<AuthorizationServer, 'clients' | 'users' | 'keys' | 'grants'>> {
  readonly clients?: readonly RegisteredClient[];
}

/** Nobody is out there; a test that needs somebody brings its own. */
const noOutbound: Outbound = {
  get: async url => Promise.reject(new OutboundError('unreachable', `nobody answers at ${url}`)),
  post: async url => Promise.reject(new OutboundError('unreachable', `nobody answers at ${url}`)),
};

/** The rules and defaults of the configuration file, as in a running sandbox. */
function createTestRegistration(): Registration {
  const defaults = {
    scope: 'openid',
    accessTokenLifetime: 300,
    requirePkce: false,
    idTokenAlg: 'RS256',
    consent: false,
  };
  return { mode: 'open', readClient: async (metadata, from) => readRegisteredClient(metadata, from, defaults) };
}

/** An authorization server with a clock that moves by hand, and nothing of HTTP. */
export function createTestServer({ clients = [], ...changes }: TestServerOptions = {}): TestServer {
  let time = now;
  const clock = () => time;
  const { wallClock = clock } = changes;
  const events: EventFact[] = [];
  const registered = createClientDirectory([frontend, sensor, web, ...clients]);
  const directory = createUserDirectory(users, [...registered.keys()]);
  const signingAlg = changes.signingAlg ?? 'ES256';
  const algs = [...new Set([signingAlg, ...[...registered.values()].map(each => each.id_token_signed_response_alg)])];
  const server: AuthorizationServer = {
    issuer,
    iss: changes.issuer ?? issuer,
    paths: defaultPaths,
    features: new Set(featureNames),
    profile: 'none',
    requireSignedRequests: false,
    assertionAudience: 'any',
    unknownResources: 'accept',
    clients: registered,
    registration: createTestRegistration(),
    users: directory,
    trustedIssuers: new Map(),
    scopes: new Map(scopes.map(scope => [scope.name, scope])),
    authorizationDetailsTypes: new Map(),
    acrValues: [],
    autoLogin: { byHint: false, prompt: 'silent' },
    grants,
    keys: createSigningKeys({ algs, begun: begunKeys(algs), clock }),
    store: createMemoryStore({ clock }),
    fetched: createMemoryStore({ clock: changes.elapsed ?? clock }),
    usedJwts: createMemoryStore({ clock: () => Math.min(clock(), wallClock()) }),
    protectedResources: [{ resource: `${issuer}/api/bikes`, name: 'Bikes', scopes: ['bikes:read', 'offline_access'] }],
    outbound: noOutbound,
    strangersOutbound: changes.outbound ?? noOutbound,
    random: systemRandom,
    dpop: { nonceRequired: false, secret: 'the secret' },
    pairwiseSalt: 'the salt',
    clock,
    wallClock,
    elapsed: clock,
    signingAlg,
    scopeClaim: 'string',
    pollInterval: 5,
    lifetimes: {
      ...{ code: 60, accessToken: 300, idToken: 300, refreshToken: 86_400, session: 28_800 },
      ...{ pushedRequest: 60, deviceCode: 300 },
    },
    ...changes,
  };

  const it: TestServer = {
    server,
    users: directory,
    events,
    pass(seconds) {
      time += seconds;
    },
    request: (parameters, { method = 'POST', ...sent } = {}) => ({
      method,
      path: '/',
      parameters: parseParameters(encode(parameters)),
      emit: fact => void events.push(fact),
      ...sent,
    }),
    async token(parameters, authorization) {
      const sent = authorization === undefined ? {} : { authorization };
      const reply = await token(server, it.request(parameters, sent));
      if (reply.kind !== 'json') throw new Error(`a ${reply.kind} from the token endpoint`);
      return reply.body as TokenResponse;
    },
    async login(sub = 'alice') {
      const user = directory.get(sub);
      if (user === undefined) throw new Error(`there is no ${sub}`);
      return startSession(server, { user, method: 'click' });
    },
    authorize: (parameters = {}, session) =>
      authorize(
        server,
        it.request(
          without({ ...authorizationRequest, ...parameters }),
          session === undefined ? { method: 'GET' } : { method: 'GET', sessionId: session.id },
        ),
      ),
    answer: async (parameters, session) => answerOf(await it.authorize(parameters, session)),
    async code(parameters, session) {
      const answer = await it.answer(parameters, session ?? (await it.login()));
      return answer.get('code') ?? `no code, but ${answer}`;
    },
    async tokens(parameters = {}, session) {
      const code = await it.code(parameters, session);
      return it.token({ ...redemption, code });
    },
  };
  return it;
}

/** A complete request of `frontend`; an empty value in a test takes a parameter away. */
const authorizationRequest = {
  client_id: 'frontend',
  redirect_uri: callback,
  response_type: 'code',
  scope: 'openid',
  state: 'a state',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};

/** The same without PKCE, for `web`. */
export const webRequest = {
  client_id: 'web',
  redirect_uri: 'https://shop.example/callback',
  code_challenge: '',
  code_challenge_method: '',
};

/** What `frontend` sends besides the code. */
export const redemption = {
  grant_type: 'authorization_code',
  client_id: 'frontend',
  redirect_uri: callback,
  code_verifier: verifier,
};

function without(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
}

function encode(parameters: Parameters): string {
  if (typeof parameters === 'string') return parameters;
  const pairs = Array.isArray(parameters) ? parameters.map(([name, value]) => [name, value]) : undefined;
  return new URLSearchParams(pairs ?? { ...(parameters as Readonly<Record<string, string>>) }).toString();
}

/** The parameters of an authorization response in any response mode. */
export function answerOf(reply: Reply): URLSearchParams {
  if (reply.kind === 'form_post') return new URLSearchParams({ ...reply.parameters });
  if (reply.kind !== 'redirect') throw new Error(`a ${reply.kind} and no response`);
  const { search, hash } = new URL(reply.location);
  return new URLSearchParams(hash === '' ? search : hash.slice(1));
}

export function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

/** The refusal of a promise that must be refused. */
export async function refusal(work: Promise<unknown>): Promise<OAuthError> {
  const outcome = await work.then(
    value => new Error(`not refused: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof OAuthError) return outcome;
  throw outcome;
}

export function eventsOf<T extends EventType>(
  events: readonly EventFact[],
  type: T,
): Extract<EventFact, { type: T }>[] {
  return events.filter((event): event is Extract<EventFact, { type: T }> => event.type === type);
}
