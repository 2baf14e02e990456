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
  const session = {
    iss: metadata.issuer,
    aud: metadata.issuer,
    azp: 'web',
    jti: 'j',
    sid: 's',
    sub: 'x',
    scope: 'openid',
  };
  const lasting = { iat: times.iat, exp: times.iat + 1800 };
  const refreshToken = unsigned({ ...lasting, ...session, typ: 'Refresh' }, { alg: 'HS512', typ: 'JWT' });
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
    refresh_token: refreshToken,
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

const hour = { iat: 1_790_000_000, exp: 1_790_003_600 };
const jane = { name: 'Jane Roe', email: 'jane@acme.test', email_verified: true };

/** Tenants of providers: the preset that they are made with, a discovery document, and claims of tokens. */
export const tenants = {
  entra: (() => {
    const tid = '6f2d0bd4-7c3e-4a51-9d8f-2b1e5a90c7d4';
    const at = (path: string) => `https://login.microsoftonline.com/${tid}${path}`;
    return {
      preset: `{ tenant: '${tid}', name: 'entra' }`,
      metadata: {
        issuer: at('/v2.0'),
        authorization_endpoint: at('/oauth2/v2.0/authorize'),
        token_endpoint: at('/oauth2/v2.0/token'),
        jwks_uri: at('/discovery/v2.0/keys'),
        response_modes_supported: ['query', 'fragment', 'form_post'],
        subject_types_supported: ['pairwise'],
        tenant_region_scope: 'EU',
      },
      tokens: [
        {
          ...{ aud: '11112222-3333-4444-8555-666677778888', iss: at('/v2.0'), ...hour, nbf: hour.iat, aio: 'AXQAi' },
          ...{ name: jane.name, nonce: 'n', oid: '9b2f1c3d-1111-4222-8333-444455556666', rh: '0.AXk', sub: 'aB3dE' },
          ...{ preferred_username: 'jane@acme.test', tid, uti: 'x', ver: '2.0', roles: ['Admin'] },
        },
      ],
    };
  })(),
  auth0: (() => {
    const issuer = 'https://acme.eu.auth0.com/';
    const sub = 'auth0|5f7c8ec7c33c6c004bbafe82';
    return {
      preset: "{ name: 'auth0' }",
      metadata: {
        issuer,
        authorization_endpoint: `${issuer}authorize`,
        token_endpoint: `${issuer}oauth/token`,
        jwks_uri: `${issuer}.well-known/jwks.json`,
        mfa_challenge_endpoint: `${issuer}mfa/challenge`,
      },
      tokens: [
        { iss: issuer, aud: 'cl1', sub, ...hour, sid: 's', nonce: 'n', ...jane, 'https://acme.test/roles': ['admin'] },
        {
          ...{ iss: issuer, sub, aud: ['https://api.acme.test', `${issuer}userinfo`], ...hour, azp: 'cl1' },
          ...{ scope: 'openid profile email', permissions: ['read:x'] },
        },
      ],
    };
  })(),
  okta: (() => {
    const issuer = 'https://acme.okta.com/oauth2/default';
    const common = { ver: 1, iss: issuer, ...hour, auth_time: hour.iat };
    return {
      preset: "{ server: 'default', name: 'okta' }",
      metadata: {
        issuer,
        authorization_endpoint: `${issuer}/v1/authorize`,
        token_endpoint: `${issuer}/v1/token`,
        userinfo_endpoint: `${issuer}/v1/userinfo`,
        jwks_uri: `${issuer}/v1/keys`,
        end_session_endpoint: `${issuer}/v1/logout`,
      },
      tokens: [
        {
          ...{ ...common, jti: 'AT.x', aud: 'api://default', cid: '0oa1', uid: '00u1abcdefghijklmn0h7' },
          ...{ scp: ['openid', 'email'], sub: 'jane@acme.test', groups: ['Everyone'] },
        },
        {
          ...{ ...common, jti: 'ID.x', aud: '0oa1', sub: '00u1abcdefghijklmn0h7', name: jane.name, email: jane.email },
          ...{ amr: ['pwd'], idp: '00o1', nonce: 'n', preferred_username: 'jane@acme.test', at_hash: 'x' },
        },
      ],
    };
  })(),
  cognito: (() => {
    const issuer = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Shop1';
    const common = {
      ...{ sub: '5a3b1c9e-6f1d-4b77-9a57-0c5fd1a2b3c4', 'cognito:groups': ['staff'], iss: issuer, origin_jti: 'o' },
      ...{ event_id: 'e', auth_time: hour.iat, jti: 'j', ...hour },
    };
    return {
      preset: "{ pool: 'eu-west-1_Shop1', name: 'cognito' }",
      metadata: undefined,
      tokens: [
        { ...common, client_id: '4kf', token_use: 'access', scope: 'openid email', username: 'jane', version: 2 },
        {
          ...{ ...common, at_hash: 'x', email_verified: true, 'cognito:username': 'jane', nonce: 'n', aud: '4kf' },
          ...{ token_use: 'id', email: jane.email, 'custom:plan': 'gold' },
        },
      ],
    };
  })(),
};
