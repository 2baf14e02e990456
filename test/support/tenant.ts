/** Samples of tenants as their vendors write them, for tests of `grantbox twin`. Nobody in them is real. */
type Members = Readonly<Record<string, unknown>>;

/** A JWT that nobody signed. */
export function unsigned(claims: Members, header: Members = { alg: 'RS256', typ: 'JWT', kid: 'k1' }): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.c2lnbmF0dXJl`;
}

const times = { iat: 1_790_000_000, exp: 1_790_000_600 };

/** A realm of Keycloak at an address. */
export function realm(issuer = 'https://sso.acme.test/realms/shop') {
  const at = (path: string) => `${issuer}/protocol/openid-connect/${path}`;
  const jane = {
    sub: '5a3b1c9e-6f1d-4b77-9a57-0c5fd1a2b3c4',
    name: 'Jane Roe',
    preferred_username: 'jane.roe',
    given_name: 'Jane',
    family_name: 'Roe',
    email: 'jane.roe@acme.test',
    email_verified: true,
    department: 'Sales West',
  };
  const session = {
    iss: issuer,
    azp: 'web',
    sid: '9a0e2a5c-1e0d-4a86-9b0a-5f0f5d3a9d10',
    acr: '1',
    auth_time: times.iat,
  };
  return {
    metadata: {
      issuer,
      authorization_endpoint: at('auth'),
      token_endpoint: at('token'),
      jwks_uri: at('certs'),
      userinfo_endpoint: at('userinfo'),
      check_session_iframe: at('login-status-iframe.html'),
      scopes_supported: ['openid', 'profile', 'email', 'shop:read'],
      code_challenge_methods_supported: ['plain', 'S256'],
    },
    accessToken: unsigned({
      ...times,
      ...session,
      jti: 'onrtac:1',
      aud: ['billing', 'account'],
      typ: 'Bearer',
      realm_access: { roles: ['offline_access', 'manager'] },
      resource_access: { billing: { roles: ['reader'] }, account: { roles: ['view-profile'] } },
      scope: 'openid profile email',
      employee_number: 48_213,
      ...jane,
    }),
    idToken: unsigned({ ...times, ...session, aud: 'web', typ: 'ID', nonce: 'n-0', at_hash: 'x', jti: 'x', ...jane }),
  };
}

/** A server of no known provider, whose tokens have claims of its own. */
export function plainServer(issuer = 'https://id.acme.test') {
  return {
    metadata: {
      issuer,
      authorization_endpoint: `${issuer}/login/authorize`,
      token_endpoint: `${issuer}/oauth2/token`,
      jwks_uri: `${issuer}/oauth2/jwks`,
      scopes_supported: ['openid', 'email', 'orders'],
      response_types_supported: ['code'],
    },
    accessToken: unsigned(
      {
        ...{
          iss: issuer,
          aud: 'https://orders.acme.test',
          client_id: 'shop',
          jti: 'a',
          iat: 1_790_000_000,
          exp: 1_790_003_600,
        },
        ...{ sub: 'auth0|5f7c8ec7c33c6c004bbafe82', scope: 'openid orders', ver: '2.0' },
        ...{ 'https://acme.test/roles': ['buyer'], limits: { day: 500, currency: 'CHF' }, beta: false },
      },
      { alg: 'ES256', typ: 'at+jwt', kid: 'k1' },
    ),
    serviceToken: unsigned({
      iss: issuer,
      aud: 'https://orders.acme.test',
      sub: 'robot',
      client_id: 'robot',
      scope: 'orders',
      region: 'eu-1',
      iat: 1_790_000_000,
      exp: 1_790_003_600,
    }),
  };
}

export interface Recorded {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly answered?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A HAR file of these exchanges. */
export function har(exchanges: readonly Recorded[]) {
  const pairs = (headers: Readonly<Record<string, string>> = {}) =>
    Object.entries(headers).map(([name, value]) => ({ name, value }));
  const entries = exchanges.map(({ url, method = 'GET', headers, form, status = 200, answered, body }) => ({
    request: {
      method,
      url,
      headers: pairs(headers),
      ...(form && {
        postData: { mimeType: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() },
      }),
    },
    response: {
      status,
      headers: pairs(answered),
      content: { mimeType: 'application/json', ...(body !== undefined && { text: JSON.stringify(body) }) },
    },
  }));
  return { log: { version: '1.2', entries } };
}

/** A login at a realm in a browser, recorded. */
export function recordedLogin() {
  const { metadata, accessToken, idToken } = realm();
  const callback = 'https://shop.acme.test/callback';
  const asked = {
    client_id: 'web',
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid profile email',
    state: 's',
    code_challenge: 'c',
    code_challenge_method: 'S256',
  };
  const answer = {
    access_token: accessToken,
    expires_in: 600,
    refresh_expires_in: 1800,
    refresh_token: unsigned({ ...times, typ: 'Refresh' }),
    token_type: 'Bearer',
    id_token: idToken,
    'not-before-policy': 0,
    session_state: 'x',
    scope: 'openid profile email',
  };
  return har([
    { url: `${metadata.issuer}/.well-known/openid-configuration`, body: metadata },
    {
      url: `${metadata.authorization_endpoint}?${new URLSearchParams(asked)}`,
      headers: { cookie: 'KC_RESTART=secret-cookie' },
    },
    {
      url: `${metadata.issuer}/login-actions/authenticate`,
      method: 'POST',
      form: { username: 'jane.roe', password: 'correct horse' },
      status: 302,
      answered: {
        location: `${callback}?${new URLSearchParams({ state: 's', session_state: 'x', iss: metadata.issuer, code: 'secret-code' })}`,
      },
    },
    {
      url: metadata.token_endpoint,
      method: 'POST',
      headers: { origin: 'https://shop.acme.test' },
      form: {
        grant_type: 'authorization_code',
        client_id: 'web',
        code: 'secret-code',
        redirect_uri: callback,
        code_verifier: 'secret-verifier',
      },
      body: answer,
    },
    {
      url: metadata.userinfo_endpoint,
      headers: { authorization: `Bearer ${accessToken}` },
      body: {
        sub: '5a3b1c9e-6f1d-4b77-9a57-0c5fd1a2b3c4',
        email: 'jane.roe@acme.test',
        email_verified: true,
        phone: '+41 79 555 12 34',
      },
    },
    {
      url: `${metadata.issuer}/protocol/openid-connect/logout?${new URLSearchParams({ client_id: 'web', post_logout_redirect_uri: 'https://shop.acme.test/' })}`,
    },
  ]);
}
