import { afterEach, describe, expect, it } from 'vitest';
import { type ClientEntry, createSandbox, type Sandbox, type SandboxConfig } from '../../../src/index.ts';
import { explainRefusal } from '../../../src/record/problems/explain.ts';
import { entries } from '../../../src/record/problems/reasons/index.ts';
import { createDpopKey } from '../../support/dpop.ts';
import { frontend } from '../../support/server.ts';
import { createTlsFetch, type TlsFetch } from '../../support/tls-fetch.ts';
import { authorizeQuery, callback, login, post, signIn, verifier } from '../../support/wire.ts';
import { createLog, knownOf, refuse } from './support.ts';

const code: Pick<ClientEntry, 'grant_types' | 'redirect_uris'> = {
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [callback],
};
const clients: readonly ClientEntry[] = [
  { client_id: 'frontend', ...code, scope: 'openid profile email offline_access products:read' },
  { client_id: 'strict', ...code, scope: 'openid', loopback_redirects: false },
  { client_id: 'web', client_secret: 'web-secret', ...code, scope: 'openid', require_pkce: true },
  { client_id: 'basic', client_secret: 's', token_endpoint_auth_method: 'client_secret_basic', ...code },
  {
    client_id: 'poster',
    ...code,
    token_endpoint_auth_method: 'client_secret_post',
    client_secret: 's',
    scope: 'openid',
  },
  { client_id: 'sensor', client_secret: 's', grant_types: ['client_credentials'], scope: 'telemetry:write' },
  { client_id: 'old', ...code, grant_types: ['authorization_code', 'implicit'], response_types: ['code', 'id_token'] },
];
const one = (more: Partial<ClientEntry>): SandboxConfig => ({
  clients: [{ client_id: 'frontend', ...code, scope: 'openid products:read', ...more }],
});

interface Place {
  readonly sandbox: Sandbox;
  readonly url: string;
  readonly send: TlsFetch;
  /** Moves the clock of the machine, which is no change on purpose. */
  pass(seconds: number): void;
}

type Form = Readonly<Record<string, string>>;
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const page = { accept: 'text/html' } as const;
const open =
  (parameters: Form) =>
  ({ send, url }: Place) =>
    send(`${url}/oauth2/authorize?${authorizeQuery(parameters)}`, { headers: page });
const token =
  (form: Form, headers: Form = {}) =>
  ({ send, url }: Place) =>
    send(`${url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form), headers });
const bearer = (jwt: string) => ({ headers: { authorization: `Bearer ${jwt}` } });

/** A login of alice, then a call with its token, so many seconds later. */
const call =
  (path: string, scope: string, wait = 0) =>
  async ({ send, url, pass }: Place) => {
    const { access_token } = await signIn(url, 'alice', { scope });
    pass(wait);
    return send(url + path, bearer(access_token));
  };

async function silently({ send, url }: Place): Promise<Response> {
  const cookie = await login(url);
  const asked = authorizeQuery({ prompt: 'none', scope: 'openid products:read' });
  const response = await send(`${url}/oauth2/authorize?${asked}`, { headers: { cookie } });
  return response;
}

async function refreshTwice({ url }: Place): Promise<Response> {
  const { refresh_token } = await signIn(url, 'alice', { scope: 'openid offline_access' });
  const form = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
  await post(`${url}/oauth2/token`, form);
  return post(`${url}/oauth2/token`, form);
}

const bound = (more: Partial<ClientEntry>): SandboxConfig => ({
  clients: [
    { client_id: 'sensor', client_secret: 's', grant_types: ['client_credentials'], scope: 'products:read', ...more },
  ],
});
const readProducts = { grant_type: 'client_credentials', scope: 'products:read' };
const accessToken = async (response: Response): Promise<string> =>
  ((await response.json()) as { access_token: string }).access_token;

async function withoutProof(place: Place): Promise<Response> {
  const { url, send, sandbox } = place;
  const proof = await (await createDpopKey()).proof({ htu: `${url}/oauth2/token`, iat: sandbox.clock() });
  const jwt = await accessToken(await token(readProducts, { ...basic('sensor', 's'), dpop: proof })(place));
  return send(`${url}/api/products`, { headers: { authorization: `DPoP ${jwt}` } });
}

async function withoutCertificate(place: Place): Promise<Response> {
  const { sandbox, url, send } = place;
  const withOne = createTlsFetch({ ca: sandbox.tls?.ca ?? '', ...(await sandbox.tls?.clientCertificate?.()) });
  const jwt = await accessToken(await token(readProducts, basic('sensor', 's'))({ ...place, send: withOne }));
  return send(`${url}/api/products`, bearer(jwt));
}

async function asBearer(place: Place): Promise<Response> {
  const jwt = await accessToken(await token(readProducts, basic('sensor', 's'))(place));
  return place.send(`${place.url}/api/products`, bearer(jwt));
}

interface Refused {
  readonly reason: string;
  readonly make: (place: Place) => Promise<Response>;
  readonly config?: SandboxConfig;
  /** What becomes of the same request after each button, in their order. `passes`, or the reason of the next refusal. */
  readonly after: readonly string[];
  /** The request as the fix says to send it, where it differs. */
  readonly again?: (place: Place) => Promise<Response>;
}

const asked = { grant_type: 'client_credentials' };
const asService = basic('frontend-service', 'frontend-service-secret');
const ciba = 'urn:openid:params:grant-type:ciba';
const login_hint = 'alice';
const home = 'http://localhost:4200/';

function logOut({ send, url }: Place): Promise<Response> {
  return send(`${url}/connect/logout?client_id=strict&post_logout_redirect_uri=${home}`, { headers: page });
}

const refusals: readonly Refused[] = [
  {
    reason: 'redirect_uri_not_registered',
    make: open({ client_id: 'strict', scope: 'openid', redirect_uri: 'http://127.0.0.1:5173/callback' }),
    after: ['passes', 'passes'],
  },
  {
    reason: 'post_logout_redirect_uri_mismatch',
    make: logOut,
    after: ['passes'],
  },
  { reason: 'scope_not_registered', make: open({ scope: 'openid telemetry:write' }), after: ['passes'] },
  {
    reason: 'scope_not_registered',
    make: token({ ...asked, scope: 'never:defined' }, basic('sensor', 's')),
    after: ['passes'],
  },
  {
    reason: 'response_type_not_registered',
    config: { features: { implicit: true } },
    make: open({ client_id: 'old', scope: 'openid', response_type: 'id_token token', nonce: 'n' }),
    after: ['passes'],
  },
  {
    reason: 'grant_type_not_registered',
    config: { features: { implicit: true } },
    make: open({ client_id: 'strict', scope: 'openid', response_type: 'id_token', nonce: 'n' }),
    after: ['passes'],
  },
  {
    reason: 'grant_type_not_registered',
    config: { features: { implicit: true }, ...one({ grant_types: ['refresh_token'] }) },
    make: open({ scope: 'openid', response_type: 'code id_token', nonce: 'n' }),
    after: ['passes'],
  },
  {
    reason: 'grant_type_not_registered',
    make: token({ ...asked, client_id: 'frontend', scope: 'products:read' }),
    again: token({ ...asked, scope: 'products:read' }, asService),
    after: ['passes'],
  },
  {
    reason: 'grant_type_not_registered',
    make: token({ grant_type: 'authorization_code', code: 'x', redirect_uri: callback }, basic('sensor', 's')),
    after: ['code_expired_or_unknown'],
  },
  {
    reason: 'grant_type_not_registered',
    make: token({ grant_type: 'refresh_token', refresh_token: 'x' }, basic('sensor', 's')),
    after: ['refresh_token_expired_or_unknown'],
  },
  {
    reason: 'client_is_public',
    make: token({ ...asked, client_id: 'frontend', client_secret: 'x' }),
    again: token(asked, asService),
    after: ['passes'],
  },
  {
    reason: 'client_is_public',
    make: ({ url }) => post(`${url}/oauth2/introspect`, { client_id: 'frontend', token: 'x' }),
    again: ({ url }) => post(`${url}/oauth2/introspect`, { token: 'x' }, asService),
    after: ['passes'],
  },
  {
    reason: 'grant_type_not_registered',
    make: ({ url }) => post(`${url}/oauth2/bc-authorize`, { client_id: 'frontend', scope: 'openid', login_hint }),
    again: ({ url }) => post(`${url}/oauth2/bc-authorize`, { scope: 'openid', login_hint }, asService),
    after: ['passes'],
  },
  { reason: 'client_unknown', make: open({ client_id: 'shop', scope: 'openid' }), after: ['passes'] },
  {
    reason: 'client_unknown',
    make: token({ grant_type: 'authorization_code', client_id: 'shop', code: 'x', code_verifier: verifier }),
    after: ['code_expired_or_unknown'],
  },
  {
    reason: 'client_unknown',
    make: token({ ...asked, client_id: 'shop' }),
    again: token(asked, basic('shop', 'shop-secret')),
    after: ['passes'],
  },
  { reason: 'client_unknown', make: token(asked, basic('shop', 'a secret')), after: ['passes'] },
  {
    reason: 'authentication_method_not_registered',
    make: token({ grant_type: 'refresh_token', client_id: 'basic', client_secret: 's', refresh_token: 'x' }),
    after: ['refresh_token_expired_or_unknown'],
  },
  {
    reason: 'pkce_missing',
    make: open({ client_id: 'web', scope: 'openid', code_challenge: '', code_challenge_method: '' }),
    after: ['passes'],
  },
  {
    reason: 'request_not_pushed',
    config: one({ require_pushed_authorization_requests: true }),
    make: open({ scope: 'openid' }),
    after: ['passes'],
  },
  {
    reason: 'request_not_signed',
    config: one({ require_signed_request_object: true, jwks_uri: 'https://frontend.example/jwks' }),
    make: open({ scope: 'openid' }),
    after: ['passes'],
  },
  { reason: 'consent_required', config: one({ require_consent: true }), make: silently, after: ['passes'] },
  {
    reason: 'authorization_details_type_not_registered',
    config: {
      authorizationDetailsTypes: { payment: {}, account: {} },
      ...one({ authorization_details_types: ['account'] }),
    },
    make: open({ scope: 'openid', authorization_details: '[{"type":"payment"}]' }),
    after: ['passes'],
  },
  { reason: 'refresh_token_reused', make: refreshTwice, after: ['passes'] },
  {
    reason: 'dpop_proof_missing',
    config: bound({ dpop_bound_access_tokens: true }),
    make: token(asked, basic('sensor', 's')),
    after: ['passes'],
  },
  {
    reason: 'certificate_missing',
    config: { tls: 'self-signed', ...bound({ tls_client_certificate_bound_access_tokens: true }) },
    make: token(asked, basic('sensor', 's')),
    after: ['passes'],
  },
  {
    reason: 'api_dpop_proof_missing',
    config: bound({ dpop_bound_access_tokens: true }),
    make: withoutProof,
    again: asBearer,
    after: ['passes'],
  },
  {
    reason: 'api_certificate_missing',
    config: { tls: 'self-signed', ...bound({ tls_client_certificate_bound_access_tokens: true }) },
    make: withoutCertificate,
    again: asBearer,
    after: ['passes'],
  },
  {
    reason: 'request_uri_not_registered',
    make: open({ scope: 'openid', request_uri: 'http://localhost:9/x' }),
    after: ['request_uri_unreadable'],
  },
  { reason: 'access_token_expired', make: call('/userinfo', 'openid', 400), after: ['passes'] },
  { reason: 'api_token_expired', make: call('/api/products', 'openid products:read', 400), after: ['passes'] },
  {
    reason: 'api_scope_insufficient',
    config: one({ scope: 'openid' }),
    make: call('/api/products', 'openid'),
    again: call('/api/products', 'openid products:read'),
    after: ['passes'],
  },
  {
    reason: 'api_audience_mismatch',
    config: { apiAudience: 'https://api.example' },
    make: call('/api/products', 'openid products:read'),
    after: ['passes'],
  },
  {
    reason: 'cors_origin_refused',
    config: { corsOrigins: 'http://other.test' },
    make: token({ ...asked }, { ...basic('sensor', 's'), origin: 'http://app.test:3000' }),
    after: ['passes'],
  },
  {
    reason: 'method_not_allowed',
    make: ({ send, url }) => send(`${url}/logout?client_id=strict&post_logout_redirect_uri=${home}`, { headers: page }),
    again: logOut,
    after: ['passes'],
  },
  {
    reason: 'user_unknown',
    config: {
      clients: [{ client_id: 'caller', client_secret: 's', grant_types: [ciba], scope: 'openid' }],
    },
    make: ({ url }) =>
      post(`${url}/oauth2/bc-authorize`, { scope: 'openid', login_hint: 'dora' }, basic('caller', 's')),
    after: ['passes'],
  },
  {
    reason: 'automatic_login_user_unknown',
    make: open({ scope: 'openid', sandbox_login: 'dora' }),
    after: ['passes'],
  },
];

const started: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of started.splice(0)) await sandbox.stop();
});

async function start(config: SandboxConfig = {}): Promise<Place> {
  let time = 1_700_000_000;
  const pass = (seconds: number) => {
    time += seconds;
  };
  const sandbox = await createSandbox({ clients, ...config }, { now: () => time });
  started.push(sandbox);
  const send: TlsFetch = sandbox.tls?.ca === undefined ? plain : createTlsFetch({ ca: sandbox.tls.ca });
  return { sandbox, url: sandbox.url, send, pass };
}

const plain: TlsFetch = (url, { method, headers, body } = {}) =>
  fetch(url, { method, headers, body: body as URLSearchParams, redirect: 'manual' } as RequestInit);

/** `passes`, or the reason of the refusal. */
async function outcomeOf({ sandbox }: Place, response: Response): Promise<string> {
  await response.arrayBuffer();
  const id = response.headers.get('x-request-id') ?? '';
  return sandbox.events.ofRequest(id).find(event => event.type === 'error.returned')?.reason ?? 'passes';
}

/** The forms of the buttons on the page of a problem. */
async function buttonsOf({ send, url }: Place, response: Response) {
  const id = response.headers.get('x-request-id') ?? '';
  const html = await (await send(`${url}/dashboard/problems/${id}`)).text();
  return [...html.matchAll(/<form method="post" action="([^"]+\/fix)">[\s\S]*?<\/form>/g)].map(([form, action]) => ({
    action: `${url}${action?.replace(/^https?:\/\/[^/]+/, '')}`,
    fields: [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']): [string, string] => [
      name,
      value,
    ]),
  }));
}

describe.each(refusals)('the buttons for $reason', ({ reason, make, again = make, config, after }) => {
  it.each(after.map((outcome, index) => ({ outcome, number: index + 1 })))(
    'lead to: $outcome (button $number)',
    async ({ outcome, number }) => {
      const place = await start(config);
      const refused = await make(place);
      expect(await outcomeOf(place, refused)).toBe(reason);
      const buttons = await buttonsOf(place, refused);
      expect(buttons).toHaveLength(after.length);
      const { action = '', fields = [] } = buttons[number - 1] ?? {};
      const pressed = await place.send(action, {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { origin: place.url },
      });
      expect(pressed.status).toBe(303);
      expect(await outcomeOf(place, await again(place))).toBe(outcome);
    },
  );
});

/** Every demand that a button takes away. */
const demanding = {
  ...frontend,
  client_secret: 's',
  loopback_redirects: false,
  require_pkce: true,
  require_consent: true,
  dpop_bound_access_tokens: true,
  tls_client_certificate_bound_access_tokens: true,
  require_pushed_authorization_requests: true,
  require_signed_request_object: true,
};

const sentValues = [
  'client_credentials',
  'response_type=id_token',
  'client_secret_post',
  'http://localhost:9/x',
  'dora',
];

/** Whether a reason offers a button for one of the requests that may have it. */
function offersButton(reason: string): boolean {
  const shapes = sentValues.flatMap(sent =>
    ['authorize', 'token', 'introspect', 'end_session', 'logout'].flatMap(endpoint =>
      [demanding, { ...demanding, token_endpoint_auth_methods: ['none'] as const }].map(client => ({
        sent,
        endpoint,
        client,
      })),
    ),
  );
  return shapes.some(({ sent, endpoint, client }) => {
    const events = createLog();
    const known = knownOf(events, [client]);
    const address = encodeURIComponent('http://localhost:9/x');
    const parameters = `client_id=frontend&grant_type=client_credentials&redirect_uri=${address}&request_uri=${address}&post_logout_redirect_uri=${address}`;
    const request = { method: 'GET', url: `/oauth2/authorize?${parameters}` };
    const endpoints = [...known.endpoints, { name: 'end_session', method: 'GET', path: '/connect/logout' }];
    const refusal = refuse(events, { reason, endpoint, sent, expected: 'one' }, request);
    return explainRefusal({ ...known, endpoints }, refusal).fixes.some(({ apply }) => apply !== undefined);
  });
}

it('are all pressed here', () => {
  const pressed = new Set(refusals.map(({ reason }) => reason));
  expect(
    Object.keys(entries)
      .filter(offersButton)
      .filter(reason => !pressed.has(reason)),
  ).toEqual([]);
});
