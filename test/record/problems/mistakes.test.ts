import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientEntry, createSandbox, type Sandbox } from '../../../src/index.ts';
import {
  answer,
  asSensor,
  authorizeQuery,
  callback,
  get,
  login,
  post,
  redeem,
  signIn,
  verifier,
} from '../../support/wire.ts';

const html = { accept: 'text/html' };
let sandbox: Sandbox;
let url: string;
let time = 1_700_000_000;

const clients: readonly ClientEntry[] = [
  {
    ...{ client_id: 'web', client_secret: 'p&ss w0rd+1', token_endpoint_auth_method: 'client_secret_basic' },
    redirect_uris: ['http://localhost:3000/callback', 'http://localhost:3000/other'],
    post_logout_redirect_uris: ['http://localhost:3000/'],
    ...{ scope: 'openid profile', grant_types: ['authorization_code'] },
  },
  {
    client_id: 'frontend',
    redirect_uris: [callback],
    scope: 'openid profile email offline_access products:read',
    grant_types: ['authorization_code', 'refresh_token'],
  },
  {
    client_id: 'sensor',
    client_secret: 'sensor-secret',
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['client_credentials'],
    scope: 'telemetry:write',
  },
  {
    client_id: 'bound',
    client_secret: 'bound-secret',
    grant_types: ['client_credentials'],
    scope: 'telemetry:write',
    dpop_bound_access_tokens: true,
  },
  { client_id: 'tv', grant_types: ['urn:ietf:params:oauth:grant-type:device_code'], scope: 'openid' },
];

async function start(): Promise<void> {
  sandbox = await createSandbox({ clients, corsOrigins: ['http://app.test:3000'] }, { now: () => time });
  url = sandbox.url;
}

beforeAll(start);
afterAll(() => sandbox.stop());

interface Told {
  readonly title: string;
  readonly why: string;
  readonly certainty: string;
  readonly sent: string;
  readonly expected: readonly { readonly value: string; readonly differs: string }[];
  readonly fields?: readonly { readonly name: string; readonly isRight: boolean; readonly expected: string }[];
  readonly fixes: readonly {
    readonly text: string;
    readonly apply?: { readonly label: string; readonly change: object };
    readonly snippets: readonly { readonly where: string; readonly code: string }[];
  }[];
}

/** What the JSON of the dashboard says of the request that was answered like this. */
async function told(response: Response): Promise<Told> {
  await response.arrayBuffer();
  const link = response.headers.get('link') ?? '';
  const requestId = response.headers.get('x-request-id') ?? '';
  if (response.status >= 400) expect(link).toBe(`<${url}/dashboard/problems/${requestId}>; rel="help"`);
  const answered = await get(`${url}/dashboard/api/v1/problems/${requestId}`);
  expect(answered.status).toBe(200);
  return (await answered.json()) as Told;
}

const open = (parameters: Record<string, string>) => get(`${url}/oauth2/authorize?${authorizeQuery(parameters)}`, html);
const token = (form: Record<string, string>, headers = {}) => post(`${url}/oauth2/token`, form, headers);
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const code = async (parameters: Record<string, string> = {}) =>
  (await answer(url, await login(url), parameters)).get('code') ?? '';
const sha256 = (text: string | Buffer) => createHash('sha256').update(text);
const api = (authorization?: string) =>
  get(`${url}/api/products`, authorization === undefined ? {} : { authorization });

/** The answer to a client that uses a different host name. */
function asHost(host: string): Promise<Response> {
  return new Promise((resolve, reject) => {
    request(`${url}/oauth2/jwks`, { headers: { host } }, ({ statusCode = 0, headers }) =>
      resolve(
        new Response('', {
          status: statusCode,
          headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
        }),
      ),
    )
      .on('error', reject)
      .end();
  });
}

/** A proof of possession, right unless said otherwise. */
async function proof(changes: Record<string, unknown> = {}) {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const claims = { htm: 'POST', htu: `${url}/oauth2/token`, iat: time, jti: crypto.randomUUID(), ...changes };
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk }).sign(privateKey);
}

interface Mistake {
  readonly name: string;
  readonly make: () => Promise<Response>;
  readonly title: RegExp;
  readonly why: RegExp;
  readonly sent: RegExp;
  readonly expected: RegExp;
  /** Of a button or a snippet. */
  readonly fix?: RegExp;
  readonly likely?: true;
}

const atTheStart: readonly Mistake[] = [
  {
    name: 'redirect_uri on 127.0.0.1',
    make: () => open({ redirect_uri: 'http://127.0.0.1:5173/callback' }),
    title: /^The redirect_uri is not registered for `frontend`$/,
    why: /127\.0\.0\.1 and localhost are different hosts/,
    sent: /^http:\/\/127\.0\.0\.1:5173\/callback$/,
    expected: /^http:\/\/localhost:5173\/callback differs: host$/,
    fix: /^Add this URI to frontend and continue the sign-in/,
  },
  {
    name: 'redirect_uri with a slash too many',
    make: () => open({ redirect_uri: `${callback}/` }),
    title: /not registered/,
    why: /Only one of the two ends in a slash/,
    sent: /callback\/$/,
    expected: /differs: slash at the end/,
  },
  {
    name: 'redirect_uri of another client',
    make: () => open({ redirect_uri: 'http://localhost:3000/callback' }),
    title: /not registered for `frontend`/,
    why: /registered for `web`\. Is the client_id right/,
    sent: /3000/,
    expected: /differs: port/,
    fix: /client_id: 'web'/,
  },
  {
    name: 'no redirect_uri where two are registered',
    make: () => open({ client_id: 'web', redirect_uri: '' }),
    title: /The redirect_uri is missing/,
    why: /does not guess where to send the response/,
    sent: /nothing/,
    expected: /http:\/\/localhost:3000\/(callback|other)/,
  },
  {
    name: 'a mistyped client_id',
    make: () => open({ client_id: 'frontnd' }),
    title: /^Unknown client `frontnd`$/,
    why: /compared character by character/,
    sent: /^frontnd$/,
    expected: /^frontend/,
    fix: /^Create the client frontnd and continue the sign-in/,
  },
  {
    name: 'the implicit flow',
    make: () => open({ response_type: 'token' }),
    title: /The response_type `token` is not offered/,
    why: /into the address of the browser/,
    sent: /^token$/,
    expected: /^code/,
    fix: /FEATURES=implicit=on/,
  },
  {
    name: 'no PKCE',
    make: () => open({ code_challenge: '', code_challenge_method: '' }),
    title: /`frontend` must use PKCE/,
    why: /Without PKCE, anybody who obtains the code/,
    sent: /nothing/,
    expected: /code_challenge with code_challenge_method S256/,
    fix: /oidc-client-ts/,
  },
  {
    name: 'plain PKCE',
    make: () => open({ code_challenge: verifier, code_challenge_method: 'plain' }),
    title: /not S256/,
    why: /the challenge is the verifier itself/,
    sent: /^plain$/,
    expected: /^S256/,
  },
  {
    name: 'a challenge in hex',
    make: () => open({ code_challenge: sha256(verifier).digest('hex') }),
    title: /code_challenge is not a SHA-256 in base64url/,
    why: /64 hexadecimal digits/,
    sent: /^[0-9a-f]{64}$/,
    expected: /43 characters/,
  },
  {
    name: 'a padded challenge',
    make: () => open({ code_challenge: `${sha256(verifier).digest('base64url')}=` }),
    title: /code_challenge/,
    why: /padding/,
    sent: /=$/,
    expected: /without = at the end/,
  },
  {
    name: 'an unknown scope, mistyped',
    make: () => open({ scope: 'openid profil' }),
    title: /^Unknown scope `profil`$/,
    why: /This scope does not exist/,
    sent: /^openid profil$/,
    expected: /openid profile email/,
    fix: /^scope: 'openid profile'$/,
  },
  {
    name: 'scopes with commas between',
    make: () => open({ scope: 'openid,profile' }),
    title: /openid,profile/,
    why: /Spaces separate scopes/,
    sent: /^openid,profile$/,
    expected: /openid profile/,
    fix: /scope: 'openid profile'/,
  },
  {
    name: 'prompt=none without a session',
    make: () => open({ prompt: 'none' }),
    title: /prompt=none/,
    why: /The browser sent no session cookie/,
    sent: /no session cookie/,
    expected: /a session/,
  },
  {
    name: 'prompt=none in an iframe of another site',
    make: () =>
      get(`${url}/oauth2/authorize?${authorizeQuery({ prompt: 'none' })}`, {
        ...html,
        'sec-fetch-dest': 'iframe',
        'sec-fetch-site': 'cross-site',
      }),
    title: /prompt=none/,
    why: /SameSite=Lax, which a browser never sends to an iframe of a different site/,
    sent: /from an iframe/,
    expected: /a session/,
    fix: /Use refresh tokens instead of an iframe/,
    likely: true,
  },
  {
    name: 'a logout that leads somewhere else',
    make: () => get(`${url}/connect/logout?client_id=web&post_logout_redirect_uri=http://localhost:3000`, html),
    title: /post_logout_redirect_uri is not registered for `web`/,
    why: /character by character/,
    sent: /^http:\/\/localhost:3000$/,
    expected: /differs: slash at the end/,
    fix: /Add this URI to web and continue the logout/,
  },
  {
    name: 'a logout without id_token_hint',
    make: () => get(`${url}/connect/logout?post_logout_redirect_uri=http://localhost:3000/`, html),
    title: /names a post_logout_redirect_uri but no client/,
    why: /neither id_token_hint nor client_id/,
    sent: /3000/,
    expected: /id_token_hint/,
  },
  {
    name: 'another host name',
    make: () => asHost('idp:9000'),
    title: /The host idp:9000 is not allowed/,
    why: /DNS rebinding/,
    sent: /^idp:9000$/,
    expected: /^localhost/,
    fix: /ALLOWED_HOSTS=idp\nBACKCHANNEL_URL=http:\/\/idp:9000|ALLOWED_HOSTS=idp/,
  },
];

const atTheTokenEndpoint: readonly Mistake[] = [
  {
    name: 'a JSON body',
    make: () =>
      fetch(`${url}/oauth2/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"grant_type":"client_credentials","client_id":"sensor","client_secret":"hidden"}',
      }),
    title: /The body is JSON/,
    why: /application\/x-www-form-urlencoded/,
    sent: /application\/json/,
    expected: /form-urlencoded/,
    fix: /--data-urlencode "client_secret=\$CLIENT_SECRET"/,
  },
  {
    name: 'a secret with a line break',
    make: () =>
      token(
        { grant_type: 'client_credentials', client_id: 'sensor' },
        basic('sensor', encodeURIComponent('sensor-secret\n')),
      ),
    title: /client_secret of `sensor` is wrong/,
    why: /The sent secret has a line break after it/,
    sent: /14 characters, with a line break after it/,
    expected: /the registered secret, 13 characters/,
  },
  {
    name: 'a secret cut at a special character',
    make: () => token({ grant_type: 'authorization_code', code: 'x' }, basic('web', 'p')),
    title: /client_secret of `web` is wrong/,
    why: /cut after 1 characters, before a character that is special/,
    sent: /^1 character, the beginning/,
    expected: /11 characters/,
  },
  {
    name: 'the secret of another client',
    make: () => token({ grant_type: 'client_credentials' }, basic('sensor', 'bound-secret')),
    title: /client_secret of `sensor` is wrong/,
    why: /the secret of `bound`/,
    sent: /12 characters/,
    expected: /13 characters/,
  },
  {
    name: 'a secret in the form',
    make: () => token({ grant_type: 'client_credentials', client_id: 'sensor', client_secret: 'sensor-secret' }),
    title: /`sensor` is not registered for client_secret_post/,
    why: /must use its registered authentication method/,
    sent: /^client_secret_post$/,
    expected: /^client_secret_basic/,
    fix: /Allow client_secret_post for sensor/,
  },
  {
    name: 'no secret',
    make: () => token({ grant_type: 'client_credentials', client_id: 'sensor' }),
    title: /`sensor` did not authenticate/,
    why: /registered with client_secret_basic/,
    sent: /none/,
    expected: /client_secret_basic/,
    fix: /--user "\$CLIENT_ID:\$CLIENT_SECRET"/,
  },
  {
    name: 'a secret of a public client',
    make: () => token({ grant_type: 'refresh_token', client_id: 'frontend', client_secret: 'x', refresh_token: 'y' }),
    title: /`frontend` is a public client/,
    why: /cannot keep a secret/,
    sent: /client_secret_post/,
    expected: /none/,
  },
  {
    name: 'a grant that is not registered',
    make: () => token({ grant_type: 'refresh_token', refresh_token: 'x' }, { authorization: asSensor }),
    title: /`sensor` is not registered for the grant `refresh_token`/,
    why: /may use only its registered grants/,
    sent: /refresh_token/,
    expected: /client_credentials/,
    fix: /Enable refresh_token for sensor/,
  },
  {
    name: 'a mistyped grant',
    make: () => token({ grant_type: 'client_credential' }, { authorization: asSensor }),
    title: /Unknown grant type `client_credential`/,
    why: /compared character by character/,
    sent: /^client_credential$/,
    expected: /^client_credentials/,
  },
  {
    name: 'a grant that is switched off',
    make: () =>
      token({ grant_type: 'password', client_id: 'frontend', username: 'alice', password: 'x', scope: 'openid' }),
    title: /^The grant `password` is switched off$/,
    why: /OAuth 2\.1 removed it, so this server knows it, but has it switched off\.$/,
    sent: /^password$/,
    expected: /^authorization_code/,
    fix: /FEATURES=password=on/,
  },
  {
    name: 'an empty verifier',
    make: async () => redeem(url, await code(), { code_verifier: '' }),
    title: /The code_verifier of `frontend` is empty/,
    why: /lost between the start of the sign-in and the callback/,
    sent: /^47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU {2}the SHA-256 of nothing/,
    expected: /^[\w-]{43}/,
  },
  {
    name: 'a challenge that was not hashed',
    make: async () => redeem(url, await code({ code_challenge: 'v'.repeat(43) }), { code_verifier: 'v'.repeat(43) }),
    title: /is the code_challenge itself/,
    why: /The app did not hash the verifier/,
    sent: /^[\w-]{43} /,
    expected: /^v{43}/,
  },
  {
    name: 'the verifier of another login',
    make: async () => {
      const mine = await code();
      await code({ code_challenge: sha256('w'.repeat(50)).digest('base64url') });
      return redeem(url, mine, { code_verifier: 'w'.repeat(50) });
    },
    title: /belongs to a different sign-in/,
    why: /Two tabs, or a sign-in that starts twice/,
    sent: /of a verifier with 50 characters/,
    expected: /^[\w-]{43}/,
  },
  {
    name: 'a verifier in padded base64, whose hash is right',
    make: async () => {
      const padded = `${'ab+/'.repeat(10)}abc=`;
      return redeem(url, await code({ code_challenge: sha256(padded).digest('base64url') }), { code_verifier: padded });
    },
    title: /^The code_verifier has characters that are not allowed$/,
    why: /This one has \+ \/ =, which come from standard base64.*The hash matches the challenge of this sign-in, so nothing else is wrong/,
    sent: /of a verifier with 44 characters/,
    expected: /^[\w-]{43}/,
    fix: /^Write the verifier in base64url/,
  },
  {
    name: 'a verifier that got a padding on its way',
    make: async () => redeem(url, await code(), { code_verifier: `${verifier}=` }),
    title: /^The code_verifier ends in base64 padding \(=\)$/,
    why: /would match otherwise/,
    sent: /of a verifier with 45 characters/,
    expected: /^[\w-]{43}/,
  },
  {
    name: 'a verifier with characters of its own, and of another login',
    make: async () => redeem(url, await code(), { code_verifier: `${'z'.repeat(44)}!` }),
    title: /has characters that are not allowed/,
    why: /This one has !\. Write/,
    sent: /of a verifier with 45 characters/,
    expected: /^[\w-]{43}/,
  },
  {
    name: 'a verifier nobody knows',
    make: async () => redeem(url, await code(), { code_verifier: 'z'.repeat(43) }),
    title: /The code_verifier belongs to a different sign-in/,
    why: /The usual cause is a second sign-in/,
    sent: /^[\w-]{43} /,
    expected: /^[\w-]{43}/,
    likely: true,
  },
  {
    name: 'a code used twice',
    make: async () => {
      const twice = await code();
      await redeem(url, twice, {});
      return redeem(url, twice, {});
    },
    title: /The code of `frontend` was used twice, \d+ ms apart/,
    why: /The same program used it 0 ms before, in `req_\w+`\. The callback ran twice/,
    sent: /used again in req_/,
    expected: /used before in req_/,
    fix: /redeeming \?\?=/,
    likely: true,
  },
  {
    name: 'a code used twice in a browser',
    make: async () => {
      const twice = await code();
      const send = () =>
        post(
          `${url}/oauth2/token`,
          {
            grant_type: 'authorization_code',
            client_id: 'frontend',
            redirect_uri: callback,
            code: twice,
            code_verifier: verifier,
          },
          { origin: 'http://localhost:3000', 'user-agent': 'Mozilla/5.0 Chrome/150.0' },
        );
      await send();
      return send();
    },
    title: /was used twice/,
    why: /React runs effects twice in development \(StrictMode\)/,
    sent: /by Chrome/,
    expected: /by Chrome/,
    likely: true,
  },
  {
    name: 'an old code',
    make: async () => {
      const old = await code();
      time += 100;
      return redeem(url, old);
    },
    title: /The code of `frontend` had expired/,
    why: /100 s old, and codes expire after 60 s/,
    sent: /100 s old/,
    expected: /60 s/,
    fix: /CODE_LIFETIME=600/,
  },
  {
    name: 'a code that was never issued',
    make: () => redeem(url, 'nonsense'),
    title: /The code is unknown/,
    why: /has no such code/,
    sent: /8 characters/,
    expected: /this server issued/,
    likely: true,
  },
  {
    name: 'another redirect_uri at the token endpoint',
    make: async () => redeem(url, await code(), { redirect_uri: 'http://127.0.0.1:5173/callback' }),
    title: /and its sign-in have different redirect_uris/,
    why: /localhost/,
    sent: /127\.0\.0\.1/,
    expected: /^http:\/\/localhost:5173\/callback differs: host/,
  },
  {
    name: 'a refresh token used twice',
    make: async () => {
      const { refresh_token } = await signIn(url, 'alice', { scope: 'openid offline_access' });
      const refresh = () => token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });
      await refresh();
      return refresh();
    },
    title: /The refresh token of `frontend` was used twice/,
    why: /A refresh token works only once.*Two parts of the app, or two tabs/,
    sent: /^tok_\w+, used in req_/,
    expected: /^tok_\w+, the current one/,
    fix: /Let frontend reuse refresh tokens/,
    likely: true,
  },
  {
    name: 'polling too fast',
    make: async () => {
      const started = (await (
        await post(`${url}/oauth2/device_authorization`, { client_id: 'tv', scope: 'openid' })
      ).json()) as { device_code: string };
      const poll = () =>
        token({
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          client_id: 'tv',
          device_code: started.device_code,
        });
      await poll();
      return poll();
    },
    title: /`tv` polls too often/,
    why: /five seconds more after each slow_down/,
    sent: /a poll 0 s after/,
    expected: /5 s between polls/,
  },
  {
    name: 'a proof for another address',
    make: async () =>
      token(
        { grant_type: 'client_credentials' },
        { ...basic('bound', 'bound-secret'), dpop: await proof({ htu: 'https://idp.test/oauth2/token' }) },
      ),
    title: /The DPoP proof is for a different address/,
    why: /`htu` is the address of this request/,
    sent: /^https:\/\/idp\.test\/oauth2\/token$/,
    expected: /^http:\/\/localhost:\d+\/oauth2\/token differs: scheme, host, port/,
    fix: /htu: 'http:\/\/localhost/,
  },
  {
    name: 'no proof',
    make: () => token({ grant_type: 'client_credentials' }, basic('bound', 'bound-secret')),
    title: /The request has no DPoP proof/,
    why: /dpop_bound_access_tokens/,
    sent: /no DPoP header/,
    expected: /DPoP: <proof>/,
    fix: /Give bound bearer tokens/,
  },
  {
    name: 'a preflight of a page that is not allowed',
    make: () =>
      fetch(`${url}/oauth2/token`, {
        method: 'OPTIONS',
        headers: { origin: 'http://app.test:4200', 'access-control-request-method': 'POST' },
      }),
    title: /A page from http:\/\/app\.test:4200 may not read the response/,
    why: /No redirect URI of a client has this origin, no client lists it in web_origins, and neither does CORS_ORIGINS/,
    sent: /^http:\/\/app\.test:4200$/,
    expected: /^http:\/\/app\.test:3000 differs: port/,
    fix: /Add http:\/\/app\.test:4200 to web_origins of frontend[\s\S]*CORS_ORIGINS=http:\/\/app\.test:3000,http:\/\/app\.test:4200/,
  },
  {
    name: 'an application in a web view, whose origin nobody can derive',
    make: () => {
      const headers = { origin: 'capacitor://localhost', 'access-control-request-method': 'POST' };
      return fetch(`${url}/oauth2/token`, { method: 'OPTIONS', headers });
    },
    title: /A page from capacitor:\/\/localhost may not read the response/,
    why: /no client lists it in web_origins/,
    sent: /^capacitor:\/\/localhost$/,
    expected: /^http:\/\/app\.test:3000/,
    fix: /web_origins: \['capacitor:\/\/localhost'\][\s\S]*CORS_ORIGINS=http:\/\/app\.test:3000,capacitor:\/\/localhost/,
  },
  {
    name: 'a registration by a page that is not allowed',
    make: () => {
      const headers = { origin: 'null', 'access-control-request-method': 'POST' };
      return fetch(`${url}/connect/register`, { method: 'OPTIONS', headers });
    },
    title: /A page from null may not read the response/,
    why: /A page from a different machine may not register clients/,
    sent: /^null$/,
    expected: /^http:\/\/app\.test:3000/,
    fix: /^(?![\s\S]*web_origins of )[\s\S]*CORS_ORIGINS=http:\/\/app\.test:3000,null/,
  },
];

const atTheApi: readonly Mistake[] = [
  {
    name: 'no token',
    make: () => api(),
    title: /The request has no access token/,
    why: /no Authorization header/,
    sent: /no Authorization header/,
    expected: /Bearer <access token>/,
  },
  {
    name: 'a token that was not there yet',
    make: () => api('Bearer undefined'),
    title: /The app sent the word undefined as a token/,
    why: /The variable of the token was not set/,
    sent: /the word undefined/,
    expected: /a signed JWT/,
  },
  {
    name: 'a token without Bearer',
    make: () => api('Token abc'),
    title: /scheme of the Authorization header is Token instead of Bearer/,
    why: /only after the word `Bearer`/,
    sent: /Token/,
    expected: /Bearer/,
  },
  {
    name: 'an ID token',
    make: async () => api(`Bearer ${(await signIn(url)).id_token}`),
    title: /sent the ID token to the API/,
    why: /who signed in, and gives no access/,
    sent: /an ID token/,
    expected: /the access token/,
    fix: /tokens\.access_token/,
  },
  {
    name: 'an expired token',
    make: async () => {
      const { access_token } = await signIn(url, 'alice', { scope: 'openid products:read' });
      time += 1000;
      return api(`Bearer ${access_token}`);
    },
    title: /The access token of `frontend` has expired/,
    why: /A token is refused after its `exp`/,
    sent: /exp \d+/,
    expected: /now/,
    fix: /lifetime of .* to 1 hour/,
  },
  {
    name: 'a token without the scope',
    make: async () => api(`Bearer ${(await signIn(url)).access_token}`),
    title: /The token of `frontend` does not have the scope `products:read`/,
    why: /did not request the scope/,
    sent: /openid profile email/,
    expected: /^products:read/,
    fix: /scope: 'openid profile email products:read'/,
  },
  {
    name: 'a token for another API',
    make: async () =>
      api(
        `Bearer ${(await signIn(url, 'alice', { scope: 'openid products:read', resource: 'https://other.example/' })).access_token}`,
      ),
    title: /The token of `frontend` is for a different API/,
    why: /The `aud` of a token names the APIs/,
    sent: /https:\/\/other\.example\//,
    expected: /^http:\/\/localhost/,
    fix: /^resource: 'http:/m,
  },
  {
    name: 'a token that was changed',
    make: async () => {
      const [head, , signature] = (await signIn(url)).access_token.split('.');
      return api(`Bearer ${head}.${Buffer.from('{"sub":"admin"}').toString('base64url')}.${signature}`);
    },
    title: /The signature of the token does not match/,
    why: /changed after it was signed/,
    sent: /does not match/,
    expected: /kid/,
  },
  {
    name: 'a token of another issuer',
    make: async () => {
      await using other = await createSandbox({ seed: 'same' });
      const { access_token } = await signIn(other.url);
      return api(`Bearer ${access_token}`);
    },
    title: /does not have the signing key of the token/,
    why: /Each start makes new keys/,
    sent: /./,
    expected: /./,
    fix: /STATE_FILE=/,
    likely: true,
  },
];

describe.each([
  ['at the start and the end of a login', atTheStart],
  ['at the token endpoint', atTheTokenEndpoint],
  ['at the API', atTheApi],
])('a mistake %s', (_, mistakes) => {
  it.each(mistakes)('is explained: $name', async ({ make, title, why, sent, expected, fix, likely }) => {
    const explanation = await told(await make());
    expect(explanation.title).toMatch(title);
    expect(explanation.why).toMatch(why);
    expect(explanation.sent).toMatch(sent);
    const [first] = explanation.expected;
    expect(`${first?.value} ${first?.differs}`.trim()).toMatch(expected);
    expect(explanation.certainty).toBe(likely ? 'likely' : 'certain');
    const offered = explanation.fixes.flatMap(({ text, apply, snippets }) => [
      text,
      apply?.label ?? '',
      ...snippets.map(snippet => snippet.code),
    ]);
    if (fix !== undefined) expect(offered.join('\n')).toMatch(new RegExp(fix.source, 'm'));
    expect(JSON.stringify(explanation)).not.toMatch(/sensor-secret|bound-secret|p&ss|eyJ/);
  });
});

describe('the button', () => {
  const all = [...atTheStart, ...atTheTokenEndpoint, ...atTheApi];
  const buttons = /^\^?(Add|Allow|Create|Enable|Give|Let|Set) /;

  it.each(all.filter(({ fix }) => buttons.test(fix?.source ?? '')))('mends it: $name', async ({ make }) => {
    await sandbox.stop();
    await start();
    const response = await make();
    await response.arrayBuffer();
    const requestId = response.headers.get('x-request-id') ?? '';
    const page = await (await get(`${url}/dashboard/problems/${requestId}`)).text();
    const forms = page.match(/<form method="post"[\s\S]*?<\/form>/g) ?? [];
    const [form = ''] = forms;
    const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    const pressed = await post(`${url}/dashboard/problems/${requestId}/fix`, Object.fromEntries(fields));
    const told = /data-testid="problem-input">([\s\S]*?)<\/div>/.exec(await pressed.text())?.[1];
    expect([pressed.status, told]).toEqual([303, undefined]);
    const again = await make();
    const { events } = sandbox;
    const reasons = [response, again].map(
      each =>
        events.ofRequest(each.headers.get('x-request-id') ?? '').find(event => event.type === 'error.returned')?.reason,
    );
    expect(reasons[1]).not.toBe(reasons[0]);
  });
});

it('compares a proof field by field', async () => {
  const dpop = await proof({ htm: 'GET', iat: time - 4000 });
  const { fields = [] } = await told(
    await token({ grant_type: 'client_credentials' }, { ...basic('bound', 'bound-secret'), dpop }),
  );
  expect(Object.fromEntries(fields.map(({ name, isRight }) => [name, isRight]))).toEqual({
    typ: true,
    htm: false,
    htu: true,
    iat: false,
    jti: true,
  });
});

it('tells both values in plain ASCII on the wire', async () => {
  const description = async (response: Response) =>
    ((await response.json()) as { error_description: string }).error_description;
  const wrong = await redeem(url, await code(), { redirect_uri: 'http://127.0.0.1:5173/callback' });
  expect(await description(wrong)).toBe(
    `redirect_uri differs from the authorization request: got http://127.0.0.1:5173/callback, expected ${callback}`,
  );
  const unregistered = await get(`${url}/oauth2/authorize?${authorizeQuery({ redirect_uri: 'http://é.test/"x' })}`, {
    accept: 'application/json',
  });
  expect(await description(unregistered)).toMatch(
    /^redirect_uri is not registered for frontend: got [\x20-\x21\x23-\x5B\x5D-\x7E]+, expected http:\/\/localhost:5173\/callback$/,
  );
});

describe('an explanation', () => {
  it('says that a scope is unknown, and how to define it', async () => {
    const { title, why, fixes } = await told(
      await token({ grant_type: 'client_credentials', scope: 'moon:land' }, { authorization: asSensor }),
    );
    expect(title).toBe('Unknown scope `moon:land`');
    expect(why).toContain('This scope does not exist.');
    expect(fixes.flatMap(({ snippets }) => snippets.map(({ code: lines }) => lines)).join('\n')).toContain(
      "'moon:land': {",
    );
  });

  it('does not tell a machine to log in again', async () => {
    const answered = await token({ grant_type: 'client_credentials' }, { authorization: asSensor });
    const { access_token } = (await answered.json()) as { access_token: string };
    const { title, why, fixes } = await told(await api(`Bearer ${access_token}`));
    expect(title).toContain('does not have the scope `products:read`');
    expect([why, ...fixes.map(({ text }) => text)].join(' ')).not.toMatch(/log in|login|the user/i);
  });

  it('names STATE_FILE for a refresh token from before a restart', async () => {
    const form = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token: 'from-before' };
    const { title, fixes } = await told(await token(form));
    expect(title).toBe('The refresh token is unknown');
    expect(fixes[0]?.snippets[0]?.code).toMatch(/^STATE_FILE=/);
  });

  it('judges the aud of an ID token as that of an access token', async () => {
    const { access_token, id_token } = await signIn(url, 'alice', { scope: 'openid' });
    const audOf = async (jwt: string) =>
      (await told(await api(`Bearer ${jwt}`))).fields?.find(({ name }) => name === 'aud')?.isRight;
    expect(await audOf(id_token)).toBe(true);
    expect(await audOf(`${access_token.slice(0, -4)}AAAA`)).toBe(true);
  });
});
