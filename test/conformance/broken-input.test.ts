import { type JWTPayload, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import type { SandboxEvent } from '../../src/base/events/event.ts';
import { createSandbox } from '../support/bundle.ts';
import { createDpopKey } from '../support/dpop.ts';
import { badJson, badParameters } from '../support/hostile.ts';
import { createTlsFetch } from '../support/tls-fetch.ts';
import { authorizeQuery, callback, get, login, post, verifier } from '../support/wire.ts';
import { asBank, bearerGrant, cibaGrant, deviceGrant, everything, exchangeGrant, key } from './everything.ts';

const sandbox = await createSandbox(everything);
const { url } = sandbox;
const failures: SandboxEvent[] = [];
sandbox.events.subscribe(event => {
  if (event.type === 'error.returned' && event.error === 'server_error') failures.push(event);
  if (event.type === 'request.completed' && event.status >= 500) failures.push(event);
});
const cookie = await login(url);
afterAll(() => sandbox.stop());

/** Whatever was sent: an answer that is not a failure of ours, and nothing of what was sent in a header or as markup. */
async function expectHonest(response: Response, what: string): Promise<void> {
  const text = await response.text();
  const told = `${what}: ${response.status} ${text.slice(0, 300)}`;
  expect(response.status, told).toBeLessThan(500);
  expect(response.headers.get('set-cookie') ?? '', told).not.toMatch(/\bevil=/);
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (!isJson) expect(text, told).not.toMatch(/<script>alert|<img src=x/);
  expect(text, told).not.toMatch(/\n\s+at |node:internal|\/src\//);
  expect(response.headers.get('location') ?? '', told).not.toMatch(/^(https?:)?\/\/(?!localhost)|javascript:/);
}

type Send = (encoded: string) => Promise<Response>;
const own = { cookie, origin: url };
const atToken: Send = encoded => post(`${url}/oauth2/token`, encoded, { authorization: asBank });
const assertion = ['client_assertion', 'client_assertion_type'];

const endpoints: readonly (readonly [name: string, rest: string, parameters: readonly string[], send: Send])[] = [
  [
    'POST /oauth2/par',
    authorizeQuery().toString(),
    [
      ...[
        'client_id',
        'redirect_uri',
        'scope',
        'request',
        'request_uri',
        'claims',
        'authorization_details',
        'resource',
      ],
      ...['dpop_jkt', 'acr_values', 'max_age', 'prompt', 'response_mode', 'response_type', 'state', ...assertion],
    ],
    encoded => post(`${url}/oauth2/par`, encoded),
  ],
  [
    'GET /oauth2/authorize, hybrid and signed',
    'client_id=shop&response_type=code+id_token&scope=openid&nonce=n&response_mode=fragment.jwt',
    ['nonce', 'request', 'request_uri', 'claims', 'authorization_details', 'dpop_jkt', 'response_mode', 'resource'],
    encoded => get(`${url}/oauth2/authorize?${encoded}&redirect_uri=${encodeURIComponent(callback)}`, { cookie }),
  ],
  [
    'POST /oauth2/device_authorization',
    'client_id=frontend&scope=openid',
    ['client_id', 'client_secret', 'scope', 'resource', 'authorization_details', ...assertion],
    encoded => post(`${url}/oauth2/device_authorization`, encoded),
  ],
  [
    'GET /oauth2/device_verification',
    '',
    ['user_code', 'prompt', 'decision', 'as'],
    encoded => get(`${url}/oauth2/device_verification?${encoded}`, { cookie }),
  ],
  [
    'POST /oauth2/device_verification',
    'user_code=BBBBBBBB&decision=allow&as=alice',
    ['user_code', 'decision', 'as'],
    // without a session, or the guesses would be limited
    encoded => post(`${url}/oauth2/device_verification`, encoded, { origin: url }),
  ],
  ['GET the QR code', '', ['user_code'], encoded => get(`${url}/oauth2/device_verification/qr?${encoded}`)],
  [
    'POST /oauth2/bc-authorize',
    'scope=openid&login_hint=alice',
    [
      ...['client_id', 'scope', 'login_hint', 'id_token_hint', 'login_hint_token', 'binding_message', 'acr_values'],
      ...['requested_expiry', 'client_notification_token', 'user_code', 'request', 'resource', ...assertion],
    ],
    encoded => post(`${url}/oauth2/bc-authorize`, encoded, { authorization: asBank }),
  ],
  [
    'POST /approvals',
    'request=x&decision=allow',
    ['request', 'decision', 'prompt'],
    encoded => post(`${url}/approvals`, encoded, own),
  ],
  ['GET /approvals', '', ['prompt', 'request'], encoded => get(`${url}/approvals?${encoded}`, { cookie })],
  [
    'POST /consent',
    'decision=allow&sid=x',
    ['decision', 'sid', 'remember', 'scope:openid', 'claim:email', 'detail:0'],
    encoded => post(`${url}/consent?${authorizeQuery({ prompt: 'consent' })}`, encoded, own),
  ],
  [
    'POST /login/device',
    'sub=alice',
    ['action', 'sub', 'username', 'password'],
    encoded => post(`${url}/login/device`, encoded, { origin: url }),
  ],
  [
    'POST /login/approvals with that query',
    '',
    ['prompt', 'user_code', 'next'],
    encoded => post(`${url}/login/approvals?${encoded}`, 'sub=alice', { origin: url }),
  ],
  [
    'POST /oauth2/introspect',
    'token=x',
    ['token', 'token_type_hint', 'client_id', 'client_secret', ...assertion],
    encoded => post(`${url}/oauth2/introspect`, encoded, { authorization: asBank }),
  ],
  [
    'POST /oauth2/revoke',
    'token=x',
    ['token', 'token_type_hint', 'client_id', ...assertion],
    encoded => post(`${url}/oauth2/revoke`, encoded, { authorization: asBank }),
  ],
  ['the device grant', `grant_type=${deviceGrant}`, ['device_code', 'scope'], atToken],
  ['the CIBA grant', `grant_type=${cibaGrant}`, ['auth_req_id'], atToken],
  [
    'token exchange',
    `grant_type=${exchangeGrant}&subject_token=x&subject_token_type=urn:ietf:params:oauth:token-type:jwt`,
    [
      ...['subject_token', 'subject_token_type', 'actor_token', 'actor_token_type', 'requested_token_type'],
      ...['audience', 'resource', 'scope'],
    ],
    atToken,
  ],
  ['the JWT bearer grant', `grant_type=${bearerGrant}`, ['assertion', 'scope'], atToken],
  ['the password grant', 'grant_type=password&username=alice&password=x', ['username', 'password', 'scope'], atToken],
  [
    'the code grant of a client with a key',
    `grant_type=authorization_code&code=x&code_verifier=${verifier}`,
    ['authorization_details', 'resource', 'audience', ...assertion],
    encoded => post(`${url}/oauth2/token`, encoded),
  ],
  ['GET /connect/check_session', '', ['client_id'], encoded => get(`${url}/connect/check_session?${encoded}`)],
];

describe.each(endpoints)('broken parameters at %s (T-15)', (_name, rest, parameters, send) => {
  it.each(parameters)('get an honest answer, whatever %s is', async name => {
    const others = new URLSearchParams(rest);
    others.delete(name);
    for (const [what, make] of badParameters) await expectHonest(await send(`${others}&${make(name)}`), what);
    for (const [what, text] of badJson) {
      if (text.length > 3000) continue; // no address is that long
      await expectHonest(await send(`${others}&${name}=${encodeURIComponent(text)}`), what);
    }
  });

  it.each(['', '&'.repeat(50), '='.repeat(500), '%'.repeat(500), '__proto__=x&constructor=y', '__proto__[x]=1&x[]=2'])(
    'get an honest answer for %j, and change no object',
    async encoded => {
      await expectHonest(await send(encoded), encoded);
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    },
  );
});

describe('JSON in a parameter (T-14, T-15)', () => {
  const carriers: readonly (readonly [string, Send])[] = [
    ['claims', encoded => post(`${url}/oauth2/par`, `${authorizeQuery()}&claims=${encoded}`)],
    [
      'claims, one inside',
      encoded => post(`${url}/oauth2/par`, `${authorizeQuery()}&claims=${wrapped('id_token', encoded)}`),
    ],
    [
      'claims, one claim',
      encoded =>
        post(`${url}/oauth2/par`, `${authorizeQuery()}&claims=${wrapped('userinfo', wrapped('name', encoded))}`),
    ],
    [
      'authorization_details',
      encoded => post(`${url}/oauth2/par`, `${authorizeQuery()}&authorization_details=${encoded}`),
    ],
    [
      'authorization_details, a field',
      encoded => {
        const details = `%5B%7B%22type%22%3A%22payment%22%2C%22amount%22%3A${encoded}%7D%5D`;
        return post(`${url}/oauth2/device_authorization`, `client_id=frontend&authorization_details=${details}`);
      },
    ],
  ];
  const wrapped = (name: string, encoded: string) => `%7B%22${name}%22%3A${encoded}%7D`;

  it.each(carriers)('gets an honest answer: %s', async (_where, send) => {
    for (const [what, text] of badJson) {
      await expectHonest(await send(encodeURIComponent(text)), what);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('JSON in the body of a registration (T-15, T-20)', () => {
  const send = (body: string, type = 'application/json') =>
    post(`${url}/connect/register`, body, { 'content-type': type });
  const members = [
    ...[
      'redirect_uris',
      'grant_types',
      'response_types',
      'client_name',
      'client_uri',
      'logo_uri',
      'policy_uri',
      'tos_uri',
    ],
    ...['contacts', 'scope', 'jwks', 'jwks_uri', 'token_endpoint_auth_method', 'token_endpoint_auth_signing_alg'],
    ...['software_id', 'software_version', 'software_statement', 'subject_type', 'sector_identifier_uri'],
    ...['id_token_signed_response_alg', 'id_token_encrypted_response_alg', 'id_token_encrypted_response_enc'],
    ...['userinfo_signed_response_alg', 'request_object_signing_alg', 'request_uris', 'default_max_age'],
    ...['default_acr_values', 'require_auth_time', 'initiate_login_uri', 'post_logout_redirect_uris'],
    ...['backchannel_logout_uri', 'backchannel_logout_session_required', 'frontchannel_logout_uri'],
    ...['backchannel_token_delivery_mode', 'backchannel_client_notification_endpoint', 'dpop_bound_access_tokens'],
    ...['require_pushed_authorization_requests', 'authorization_details_types', 'tls_client_auth_subject_dn'],
    ...['introspection_signed_response_alg', 'authorization_signed_response_alg', 'application_type', 'client_id'],
    ...['client_name#de', 'logo_uri#x', '#', '__proto__', 'constructor', 'unheard_of'],
  ];

  it.each(members)('gets an honest answer, whatever %s is', async member => {
    for (const [what, text] of badJson) {
      const rest = member === 'redirect_uris' ? '' : '"redirect_uris":["https://app.example/cb"],';
      await expectHonest(await send(`{${rest}${JSON.stringify(member)}:${text}}`), what);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('gets an honest answer, whatever a key of the jwks is', async () => {
    for (const [what, text] of badJson) {
      for (const jwks of [
        `{"keys":${text}}`,
        `{"keys":[${text}]}`,
        `{"keys":[{"kty":"RSA","n":${text},"e":"AQAB"}]}`,
      ]) {
        const body = `{"redirect_uris":["https://app.example/cb"],"token_endpoint_auth_method":"private_key_jwt","jwks":${jwks}}`;
        await expectHonest(await send(body), what);
      }
    }
  });

  it('gets an honest answer, whatever it is', async () => {
    for (const [what, text] of badJson) await expectHonest(await send(text), what);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense'])
      expect((await send('{}', type)).status).toBe(415);
    expect((await send(`{"client_name":"${'x'.repeat(65_536)}"}`)).status).toBe(413);
  });

  it('gets an honest answer at the address of a client too, whatever it is called', async () => {
    for (const id of [
      '__proto__',
      'constructor',
      'x'.repeat(5000),
      '%00',
      '%ff',
      '%2e%2e%2f',
      '%22%3E%3Cscript%3E',
      '%',
    ])
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
        const body = method === 'PUT' ? { body: '{"a":1}' } : {};
        await expectHonest(
          await fetch(`${url}/connect/register/${id}`, { method, headers, ...body }),
          `${method} ${id}`,
        );
      }
  });
});

describe('a JWT whose claims are of no expected type (T-15)', () => {
  const values: readonly unknown[] = [null, -1, 1e308, true, '', '__proto__', [], [null], { toString: 1, valueOf: 1 }];
  const names = [
    ...[
      'iss',
      'sub',
      'aud',
      'exp',
      'nbf',
      'iat',
      'jti',
      'nonce',
      'scope',
      'client_id',
      'redirect_uri',
      'response_type',
    ],
    ...[
      'claims',
      'authorization_details',
      'max_age',
      'resource',
      'request',
      'login_hint',
      'requested_expiry',
      'may_act',
    ],
  ];
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  let made = 0;
  const now = () => Math.floor(Date.now() / 1000);
  const sign = (claims: object, header: object = {}) =>
    new SignJWT({ ...claims } as JWTPayload)
      .setProtectedHeader({ alg: 'ES256', kid: 'k', ...header })
      .sign(key.privateKey);
  const base = () => ({ aud: sandbox.issuer, exp: now() + 60, nbf: now(), iat: now(), jti: `jwt ${++made}` });
  const request = { client_id: 'signer', response_type: 'code', redirect_uri: callback, scope: 'openid' };
  const asSigner = async () => ({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await sign({ ...base(), iss: 'signer', sub: 'signer' }),
  });
  const uses: readonly (readonly [string, object, (jwt: string) => Promise<Response>])[] = [
    [
      'client_assertion',
      { iss: 'signer', sub: 'signer' },
      async jwt => atTokenWith({ grant_type: 'client_credentials', ...(await asSigner()), client_assertion: jwt }),
    ],
    [
      'request',
      { iss: 'signer', ...request },
      jwt => get(`${url}/oauth2/authorize?client_id=signer&request=${jwt}`, { cookie }),
    ],
    [
      'request, pushed',
      { iss: 'signer', ...request },
      async jwt => post(`${url}/oauth2/par`, { ...(await asSigner()), request: jwt }),
    ],
    [
      'request of CIBA',
      { iss: 'signer', scope: 'openid', login_hint: 'alice' },
      async jwt => post(`${url}/oauth2/bc-authorize`, { ...(await asSigner()), request: jwt }),
    ],
    [
      'assertion',
      { iss: 'https://partner.example', sub: 'alice' },
      jwt => post(`${url}/oauth2/token`, { grant_type: bearerGrant, assertion: jwt }, { authorization: asBank }),
    ],
    [
      'subject_token',
      { iss: 'https://partner.example', sub: 'alice' },
      jwt =>
        post(
          `${url}/oauth2/token`,
          {
            grant_type: exchangeGrant,
            subject_token: jwt,
            subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
          },
          { authorization: asBank },
        ),
    ],
    [
      'software_statement',
      { iss: 'https://partner.example', redirect_uris: ['https://app.example/cb'] },
      jwt =>
        post(`${url}/connect/register`, JSON.stringify({ software_statement: jwt }), {
          'content-type': 'application/json',
        }),
    ],
    ['id_token_hint', { iss: sandbox.issuer, sub: 'alice' }, jwt => get(`${url}/connect/logout?id_token_hint=${jwt}`)],
  ];
  const atTokenWith = (form: Record<string, string>) => post(`${url}/oauth2/token`, form);

  it.each(uses)('gets an honest answer as %s', async (_use, claims, send) => {
    for (const name of names)
      for (const value of values)
        await expectHonest(
          await send(await sign({ ...base(), ...claims, [name]: value })),
          `${name} ${JSON.stringify(value)}`,
        );
  });

  it.each(uses)('gets an honest answer as %s, whatever its header or form', async (_use, claims, send) => {
    const good = await sign({ ...base(), ...claims });
    const [head = '', body = '', signature = ''] = good.split('.');
    const encode = (text: string) => Buffer.from(text).toString('base64url');
    const headers = values.flatMap(value =>
      ['alg', 'kid', 'typ', 'crit', 'jwk', 'b64', 'enc'].map(name => ({ [name]: value })),
    );
    const texts = headers.map(
      each => `${encode(JSON.stringify({ alg: 'ES256', kid: 'k', ...each }))}.${body}.${signature}`,
    );
    const bodies = badJson.map(([, text]) => `${head}.${encode(text.slice(0, 5000))}.${signature}`);
    const signedDeep = await Promise.all(
      names.map(name => signText(`${JSON.stringify({ ...base(), ...claims, [name]: 0 }).slice(0, -2)}${deep}}`)),
    );
    for (const jwt of [
      ...texts,
      ...bodies,
      ...signedDeep,
      '..',
      '.',
      'a.b.c.d.e',
      `${head}.${body}.`,
      `${good}.`,
      `${head}..${signature}`,
    ])
      await expectHonest(await send(jwt), jwt.slice(0, 80));
  });

  /** Of the right key, over what is too deep to be walked through. */
  async function signText(text: string): Promise<string> {
    const { CompactSign } = await import('jose');
    return new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(key.privateKey);
  }
});

describe('a DPoP header (T-15)', async () => {
  const dpop = await createDpopKey();
  const values: readonly unknown[] = [
    null,
    0,
    1e308,
    true,
    '',
    'x',
    '__proto__',
    [],
    [null],
    {},
    { kty: 'EC' },
    { kty: 'oct', k: 'x' },
  ];
  const at = { htu: `${sandbox.issuer}/oauth2/token`, iat: Math.floor(Date.now() / 1000) };
  const form = { grant_type: 'client_credentials' };

  /** With a token that is bound to the key, at what takes one. */
  async function sendBound(proofFor: (path: string, accessToken: string) => Promise<string>, what: string) {
    const asked = { grant_type: 'password', username: 'alice', password: 'x', scope: 'openid products:read' };
    const fresh = { authorization: asBank, dpop: await dpop.proof(at) };
    const tokens = (await (await post(`${url}/oauth2/token`, asked, fresh)).json()) as { access_token: string };
    for (const path of ['/userinfo', '/api/products']) {
      const headers = {
        authorization: `DPoP ${tokens.access_token}`,
        dpop: await proofFor(path, tokens.access_token),
      };
      await expectHonest(await get(url + path, headers), what);
    }
  }

  it.each(['htm', 'htu', 'iat', 'jti', 'ath', 'nonce', 'exp', 'nbf'])(
    'gets an honest answer, whatever its %s is',
    async name => {
      for (const value of values) {
        const proof = await dpop.proof(at, { [name]: value });
        const proofFor = (path: string, accessToken: string) =>
          dpop.proof({ ...at, htm: 'GET', htu: sandbox.issuer + path, accessToken }, { [name]: value });
        await sendBound(proofFor, `${name} ${JSON.stringify(value)}`);
        await expectHonest(
          await post(`${url}/oauth2/token`, form, { authorization: asBank, dpop: proof }),
          JSON.stringify(value),
        );
      }
    },
  );

  it('gets an honest answer, whatever its header or form is', async () => {
    const [, body = '', signature = ''] = (await dpop.proof(at)).split('.');
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const headers = ['alg', 'typ', 'jwk', 'kid', 'crit'].flatMap(name =>
      values.map(value => ({
        alg: 'ES256',
        typ: 'dpop+jwt',
        jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
        [name]: value,
      })),
    );
    const proofs = [
      ...headers.map(header => `${encode(header)}.${body}.${signature}`),
      '',
      'a',
      'a, b',
      '..',
      '"',
      'x'.repeat(9000),
    ];
    for (const proof of proofs) {
      const headers = { authorization: asBank, dpop: proof };
      await expectHonest(await post(`${url}/oauth2/token`, form, headers), proof.slice(0, 80));
      await expectHonest(
        await post(`${url}/oauth2/par`, authorizeQuery().toString(), { dpop: proof }),
        proof.slice(0, 80),
      );
      await sendBound(async () => proof, proof.slice(0, 80));
    }
  });
});

describe('the names of a client certificate (T-15)', () => {
  it('get an honest answer, whatever they are', async () => {
    await using secure = await createSandbox({ ...everything, tls: 'self-signed' });
    const call = createTlsFetch({ ca: secure.tls?.ca ?? '' });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const name of ['client_id', 'subject_dn', 'san_dns', 'san_uri', 'san_ip', 'san_email'])
      for (const [what, make] of badParameters) {
        const response = await call(`${secure.url}/tls/client.pem`, { method: 'POST', body: make(name), headers });
        await expectHonest(response, `${name} ${what}`);
      }
  });
});

it('nothing in all of this was a failure of ours', () => {
  expect(failures).toEqual([]);
});
