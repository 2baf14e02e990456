import { s256 } from '../../../src/protocol/requests/pkce.ts';

/** An entry of a HAR file, as far as tests write it. */
export interface Entry {
  readonly method?: string;
  readonly url: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly location?: string;
  readonly json?: unknown;
  readonly html?: string;
}

export const tenant = 'https://tenant.example.com';
export const app = 'https://app.example.org/callback';
export const verifier = 'a-verifier-of-43-characters-0123456789._~ABC';
export const secrets = [
  'the-code-of-login',
  'the password of eve',
  'opaque-access-token',
  'opaque-refresh-token',
  verifier,
];

const started = Date.UTC(2026, 2, 1, 9, 30);
const pairs = (all: Readonly<Record<string, string>>) => Object.entries(all).map(([name, value]) => ({ name, value }));

/** A HAR file with these entries, a second apart. */
export function har(entries: readonly Entry[]): object {
  return { log: { version: '1.2', creator: { name: 'a browser', version: '1' }, entries: entries.map(written) } };
}

function written(
  { method, url, form, headers = {}, status = 200, location, json, html }: Entry,
  index: number,
): object {
  const text = json === undefined ? html : JSON.stringify(json);
  const type = json === undefined ? 'text/html' : 'application/json';
  return {
    startedDateTime: new Date(started + index * 1000).toISOString(),
    time: 20,
    request: {
      method: method ?? (form === undefined ? 'GET' : 'POST'),
      url,
      headers: pairs({ 'User-Agent': 'Mozilla/5.0 Firefox/140.0', Cookie: 'session=a-cookie-of-eve', ...headers }),
      ...(form === undefined
        ? {}
        : { postData: { mimeType: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() } }),
    },
    response: {
      status,
      headers: pairs({ 'Content-Type': type, ...(location === undefined ? {} : { Location: location }) }),
      content: { mimeType: type, ...(text === undefined ? {} : { text }) },
      redirectURL: location ?? '',
    },
  };
}

function idToken(sub: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: `${tenant}/`, sub, aud: 'shop', iat: started / 1000, exp: started / 1000 + 3600, nonce: 'n' };
  return `${part({ alg: 'RS256', kid: 'tenant-key' })}.${part(claims)}.${'c2lnbmF0dXJl'.repeat(4)}`;
}

export const discovery: Entry = {
  url: `${tenant}/.well-known/openid-configuration`,
  json: {
    issuer: `${tenant}/`,
    authorization_endpoint: `${tenant}/authorize`,
    token_endpoint: `${tenant}/oauth/token`,
    userinfo_endpoint: `${tenant}/userinfo`,
    jwks_uri: `${tenant}/.well-known/jwks.json`,
  },
};

interface Login {
  readonly state: string;
  readonly code?: string;
  readonly redirect?: string;
  readonly sentVerifier?: string;
  readonly sentRedirect?: string;
  readonly refused?: Readonly<Record<string, string>>;
}

/** The browser's half of a login, with the pages of the provider between. */
export function browserOf({ state, code = 'the-code-of-login', redirect }: Login): Entry[] {
  const query = new URLSearchParams({
    ...{ client_id: 'shop', redirect_uri: app, response_type: 'code', scope: 'openid profile offline_access', state },
    ...{ code_challenge: s256(verifier), code_challenge_method: 'S256', nonce: 'n' },
  });
  return [
    { url: `${tenant}/authorize?${query}`, status: 302, location: '/u/login?state=their-own' },
    { url: `${tenant}/u/login?state=their-own`, html: '<title>Log in</title>' },
    { url: `${tenant}/u/styles.css`, html: undefined as never, json: { css: 'no page' } },
    {
      url: `${tenant}/u/login?state=their-own`,
      form: { who: 'eve@example.org', 'credentials.passcode': 'the password of eve' },
      status: 302,
      location: `${tenant}/authorize/resume?state=their-own`,
    },
    {
      url: `${tenant}/authorize/resume?state=their-own`,
      status: 302,
      location: redirect ?? `${app}?${new URLSearchParams({ code, state })}`,
    },
    { url: redirect ?? `${app}?${new URLSearchParams({ code, state })}`, html: '<title>The shop</title>' },
  ];
}

/** The token request, and calls with the token. */
export function redeemed({ code = 'the-code-of-login', sentVerifier, sentRedirect, refused }: Login): Entry[] {
  const form = {
    ...{ grant_type: 'authorization_code', client_id: 'shop', redirect_uri: sentRedirect ?? app, code },
    code_verifier: sentVerifier ?? verifier,
  };
  const token = { url: `${tenant}/oauth/token`, form };
  if (refused !== undefined) return [{ ...token, status: 400, json: refused }];
  const tokens = { access_token: 'opaque-access-token', refresh_token: 'opaque-refresh-token', expires_in: 600 };
  return [
    { ...token, json: { ...tokens, id_token: idToken('auth0|eve'), token_type: 'Bearer' } },
    { url: `${tenant}/userinfo`, headers: { Authorization: 'Bearer opaque-access-token' }, json: { sub: 'auth0|eve' } },
    { url: `${tenant}/.well-known/jwks.json`, json: { keys: [{ kty: 'RSA', kid: 'tenant-key' }] } },
  ];
}

/** A whole login that works. */
export const login: readonly Entry[] = [
  discovery,
  { url: 'https://app.example.org/', html: '<title>The shop</title>' },
  ...browserOf({ state: 'state-of-eve' }),
  ...redeemed({ state: 'state-of-eve' }),
];
