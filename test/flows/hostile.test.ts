import { decodeJwt, importJWK } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import type { SandboxEvent } from '../../src/base/events/event.ts';
import { generateSigningKey, signJwt } from '../../src/protocol/tokens/signing-key.ts';
import { createSandbox } from '../support/bundle.ts';
import { altered } from '../support/forgeries.ts';
import { badParameters as bad } from '../support/hostile.ts';
import {
  answer,
  asSensor,
  authorizeQuery,
  callback,
  get,
  login,
  portOf,
  post,
  raw,
  redeem,
  signIn,
  statusOf,
  verifier,
} from '../support/wire.ts';

const sandbox = await createSandbox({ loginRateLimit: 0 });
const { url } = sandbox;
const port = portOf(url);
const failures: SandboxEvent[] = [];
sandbox.events.subscribe(event => {
  if (event.type === 'error.returned' && event.error === 'server_error') failures.push(event);
  if (event.type === 'request.completed' && event.status >= 500 && event.status !== 501) failures.push(event);
});
const cookie = await login(url);
const live = await signIn(url, 'alice', { scope: 'openid profile products:read' });
afterAll(() => sandbox.stop());

/** Whatever is sent: an honest refusal, and the next request is answered. */
async function expectRefused(response: Response, statuses: readonly number[]): Promise<string> {
  const text = await response.text();
  expect(statuses, `${response.url} ${text.slice(0, 200)}`).toContain(response.status);
  return text;
}

type Send = (encoded: string) => Promise<Response>;

const endpoints: readonly (readonly [name: string, parameters: readonly string[], send: Send])[] = [
  [
    'GET /oauth2/authorize',
    [
      ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce', 'code_challenge'],
      ...['code_challenge_method', 'prompt', 'max_age', 'login_hint', 'id_token_hint', 'acr_values', 'ui_locales'],
      ...['request', 'request_uri', 'registration', 'display', 'claims', 'unheard_of'],
    ],
    encoded => get(`${url}/oauth2/authorize?${encoded}`, { cookie }),
  ],
  [
    'POST /oauth2/token, code',
    ['grant_type', 'client_id', 'client_secret', 'code', 'redirect_uri', 'code_verifier', 'unheard_of'],
    encoded => post(`${url}/oauth2/token`, encoded),
  ],
  [
    'POST /oauth2/token, refresh',
    ['grant_type', 'client_id', 'client_secret', 'refresh_token', 'scope'],
    encoded => post(`${url}/oauth2/token`, encoded),
  ],
  [
    'POST /oauth2/token, client credentials',
    ['grant_type', 'client_id', 'client_secret', 'scope'],
    encoded => post(`${url}/oauth2/token`, encoded, { authorization: asSensor }),
  ],
  ['POST /userinfo', ['access_token'], encoded => post(`${url}/userinfo`, encoded)],
  [
    'GET /connect/logout',
    ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'],
    encoded => get(`${url}/connect/logout?${encoded}`),
  ],
  [
    'POST /login',
    ['action', 'sub', 'username', 'password'],
    encoded => post(`${url}/login?${authorizeQuery()}`, encoded, { origin: url }),
  ],
  [
    'POST /login with that query',
    ['client_id', 'redirect_uri', 'prompt', 'max_age', 'acr_values', 'state'],
    encoded => post(`${url}/login?${encoded}`, 'sub=alice', { origin: url }),
  ],
  [
    'POST /login, denied, with that query',
    ['client_id', 'redirect_uri', 'state', 'response_mode'],
    encoded => post(`${url}/login?${encoded}`, 'action=deny', { origin: url }),
  ],
  [
    'POST /logout',
    ['decision', 'client_id', 'post_logout_redirect_uri', 'state'],
    encoded => post(`${url}/logout`, encoded, { origin: url }),
  ],
];

const valid: Readonly<Record<string, string>> = {
  ...Object.fromEntries(authorizeQuery()),
  grant_type: 'client_credentials',
  code: 'x',
  code_verifier: verifier,
  refresh_token: 'x',
  sub: 'alice',
};

describe.each(endpoints)('%s', (_endpoint, parameters, send) => {
  it.each(parameters)('has an honest answer to every bad %s', async name => {
    const others = new URLSearchParams(Object.entries(valid).filter(([other]) => other !== name)).toString();
    for (const [what, make] of bad) {
      const response = await send(`${others}&${make(name)}`);
      const text = await response.text();
      const told = `${name}: ${what}: ${response.status} ${text.slice(0, 300)}`;
      expect(response.status, told).toBeLessThan(500);
      expect(response.headers.get('set-cookie') ?? '', told).not.toContain('evil');
      expect(text, told).not.toContain('<script>alert');
      expect(response.headers.get('location') ?? '', told).not.toMatch(/^(https?:)?\/\/(?!localhost)|javascript:/);
    }
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', '__proto__[x]', 'constructor.prototype', ''])(
    'ignores a parameter named %j',
    async name => {
      const response = await send(`${name}=x&${name}y=1`);
      await response.arrayBuffer();
      expect(response.status).toBeLessThan(500);
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    },
  );

  it.each([
    ['nothing', ''],
    ['ampersands', '&'.repeat(50)],
    ['too many ampersands', '&'.repeat(5000)],
    ['too many parameters', Array.from({ length: 101 }, (_, index) => `p${index}=1`).join('&')],
    ['equals signs', '='.repeat(1000)],
    ['percent signs', '%'.repeat(1000)],
    ['plus signs', '+'.repeat(1000)],
    ['a question mark', '?a=b?c=d'],
  ])('has an honest answer to %s', async (_what, encoded) => {
    const response = await send(encoded);
    await response.arrayBuffer();
    expect(response.status).toBeLessThan(500);
  });
});

describe('a body', () => {
  const routes = ['/oauth2/token', '/oauth2/authorize', '/userinfo', '/connect/logout', '/login', '/logout'];

  it.each(['/oauth2/token', '/userinfo', '/login', '/logout'])('of 64 KiB is read at %s', async path => {
    const response = await post(url + path, `a=${'x'.repeat(64 * 1024 - 2)}`);
    await response.arrayBuffer();
    expect([200, 303, 400, 401]).toContain(response.status);
  });

  it.each(routes)('of one byte more is 413 at %s', async path => {
    await expectRefused(
      await post(url + path, `a=${'x'.repeat(64 * 1024 - 1)}`, { accept: 'application/json' }),
      [413],
    );
  });

  it.each(routes)('that is announced too long is 413 at %s before it is sent', async path => {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
    const answered = await raw(port, `${head}Content-Length: 99999999\r\n\r\n`);
    expect(statusOf(answered)).toBe(413);
    expect(answered.toLowerCase()).toContain('connection: close');
  });

  it.each(routes)('that grows too long in chunks is 413 at %s before its end', async path => {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const answered = await raw(port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(4)}1\r\ny\r\n`);
    expect(statusOf(answered)).toBe(413);
  });

  it.each([
    ['JSON', 'application/json', '{"grant_type":"client_credentials"}'],
    ['JSON with __proto__', 'application/json', '{"__proto__":{"x":1}}'],
    [
      'a multipart form',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--',
    ],
    ['plain text', 'text/plain', 'grant_type=client_credentials'],
    ['XML', 'application/xml', '<a/>'],
    ['nothing that is known', 'nonsense', 'a=b'],
  ])('that is %s is 415, and is told the type that is expected', async (_what, type, body) => {
    const response = await post(`${url}/oauth2/token`, body, { 'content-type': type, authorization: asSensor });
    const text = await expectRefused(response, [415]);
    expect(JSON.parse(text)).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('application/x-www-form-urlencoded'),
    });
    expect(response.headers.get('accept')).toBe('application/x-www-form-urlencoded');
  });

  it('without a type is 415', async () => {
    const answered = await raw(
      port,
      'POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nConnection: close\r\n\r\na=b',
    );
    expect(statusOf(answered)).toBe(415);
  });

  it.each(['gzip', 'deflate', 'br', 'identity, gzip'])('that is compressed with %s is 415', async encoding => {
    await expectRefused(await post(`${url}/oauth2/token`, 'a=b', { 'content-encoding': encoding }), [415]);
  });

  it.each([
    'application/x-www-form-urlencoded;charset=UTF-8',
    'APPLICATION/X-WWW-FORM-URLENCODED',
    ' application/x-www-form-urlencoded ; charset=iso-8859-1',
  ])('of type %j is read', async type => {
    const form = 'grant_type=client_credentials';
    const response = await post(`${url}/oauth2/token`, form, { 'content-type': type, authorization: asSensor });
    expect(response.status).toBe(200);
  });

  it('with parameters in the query of a POST does not have them (RFC 6749 §3.2)', async () => {
    const response = await post(`${url}/oauth2/token?grant_type=client_credentials`, '', { authorization: asSensor });
    expect(await expectRefused(response, [400])).toContain('grant_type is missing');
  });
});

describe('a broken Authorization header', () => {
  const encoded = (text: string | Buffer) => Buffer.from(text).toString('base64');
  const headers = [
    ...[
      '',
      'Basic',
      'Basic ',
      'Basic  ',
      'basic',
      'Basic :',
      'Basic =',
      'Basic ====',
      'Basic ***',
      'Basic a',
      'Basic %00',
    ],
    ...[
      `Basic ${encoded('nocolon')}`,
      `Basic ${encoded(':')}`,
      `Basic ${encoded(':secret')}`,
      `Basic ${encoded('sensor:')}`,
    ],
    ...[
      `Basic ${encoded('sen\0sor:x')}`,
      `Basic ${encoded('sensor:x\r\ny')}`,
      `Basic ${encoded(Buffer.from([0xff, 0x3a]))}`,
    ],
    ...[`Basic ${encoded('sensor:%zz')}`, `Basic ${encoded('%ff:%ff')}`, `Basic ${encoded('__proto__:x')}`],
    ...[`Basic ${asSensor}`, `${asSensor} x`, `${asSensor},${asSensor}`, `Basic ${encoded(`x:${'y'.repeat(6000)}`)}`],
    ...[
      'Bearer x',
      'Bearer',
      'Digest x',
      'Negotiate',
      'DPoP x',
      `Basic\t${encoded('sensor:x')}`,
      'x'.repeat(8000),
      '"',
      ',',
    ],
  ];

  it.each(headers)('%j is 401 with a challenge at the token endpoint', async authorization => {
    const response = await post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization });
    const body = JSON.parse(await expectRefused(response, [401])) as Record<string, string>;
    expect(body.error).toBe('invalid_client');
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
  });

  it.each(headers)('%j is refused at UserInfo and at the sample backend', async authorization => {
    await expectRefused(await get(`${url}/userinfo`, { authorization }), [400, 401]);
    await expectRefused(await get(`${url}/api/products`, { authorization }), [400, 401]);
  });
});

describe('a code', () => {
  const code = async (parameters: Record<string, string> = {}) =>
    (await answer(url, cookie, parameters)).get('code') ?? '';

  it('replayed is refused, and what it gave is dead', async () => {
    const used = await code();
    const { access_token } = (await (await redeem(url, used)).json()) as { access_token: string };
    expect(await expectRefused(await redeem(url, used), [400])).toContain('invalid_grant');
    await expectRefused(await get(`${url}/userinfo`, { authorization: `Bearer ${access_token}` }), [401]);
  });

  it('of another client is refused', async () => {
    const form = { grant_type: 'authorization_code', code: await code() };
    const clients = [
      { client_id: 'frontend', redirect_uris: [callback] },
      { client_id: 'other', redirect_uris: [callback] },
    ];
    await using two = await createSandbox({ clients });
    const foreign = (await answer(two.url, await login(two.url), { scope: '' })).get('code') ?? '';
    const body = await expectRefused(await redeem(two.url, foreign, { client_id: 'other' }), [400]);
    expect(body).toContain('invalid_grant');
    await expectRefused(await post(`${url}/oauth2/token`, form, { authorization: asSensor }), [400]);
  });

  it('expired is refused and told so', async () => {
    let now = 1_800_000_000;
    await using slow = await createSandbox({}, { now: () => now });
    const late = (await answer(slow.url, await login(slow.url))).get('code') ?? '';
    now += 61;
    expect(await expectRefused(await redeem(slow.url, late), [400])).toContain('the code expired 1 s ago');
  });

  it.each([
    `${callback}/`,
    `${callback}?x=1`,
    `${callback}#x`,
    'http://localhost:5174/callback',
    'http://127.0.0.1:5173/callback',
    'http://LOCALHOST:5173/callback',
    'http://localhost:5173/callback%2f',
    'http://localhost:5173/x/../callback',
    'https://localhost:5173/callback',
  ])('with the redirect_uri altered to %s is refused', async redirect_uri => {
    expect(await expectRefused(await redeem(url, await code(), { redirect_uri }), [400])).toContain('invalid_grant');
  });

  it('redeemed twenty times at once gives tokens once', async () => {
    const raced = await code();
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await redeem(url, raced)).status));
    expect(statuses.filter(status => status === 200)).toHaveLength(1);
  });
});

describe('a forged access token', async () => {
  const jwks = (await (await get(`${url}/oauth2/jwks`)).json()) as { keys: Record<string, string>[] };
  const [jwk = {}] = jwks.keys;
  const foreign = await generateSigningKey('RS256');
  const byForeign = (changes: object, typ = 'at+jwt') =>
    signJwt({ ...foreign, kid: jwk.kid ?? '' }, typ, { ...decodeJwt(live.access_token), ...changes });
  const { createHmac } = await import('node:crypto');
  const published = (await importJWK({ ...jwk }, 'RS256')) as CryptoKey;
  const spki = Buffer.from(await crypto.subtle.exportKey('spki', published));
  const pem = `-----BEGIN PUBLIC KEY-----\n${spki.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END PUBLIC KEY-----\n`;
  const mac = (secret: string | Buffer) => {
    const [head = '', payload = ''] = altered(live.access_token, {}, { alg: 'HS256' }).split('.');
    return `${head}.${payload}.${createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')}`;
  };

  const forged: [string, string | Promise<string>][] = [
    ['with other claims', altered(live.access_token, { sub: 'bob', scope: 'products:write openid' })],
    ['with a later exp', altered(live.access_token, { exp: 4_000_000_000 })],
    ['with alg none', altered(live.access_token, {}, { alg: 'none' }).replace(/[^.]+$/, '')],
    ['with alg none and a signature', altered(live.access_token, {}, { alg: 'none' })],
    ['with an HMAC by the public key as PEM', mac(pem)],
    ['with an HMAC by the public key as DER', mac(spki)],
    ['with an HMAC by the public key as JWK', mac(JSON.stringify(jwk))],
    ['by a foreign key under our kid', byForeign({})],
    ['by a foreign key of another issuer', byForeign({ iss: 'http://localhost:1' })],
    ...['RS512', 'PS256', 'ES256', 'ES512', 'EdDSA', 'Ed25519', 'HS256', 'dir', '', '__proto__'].map(
      (alg): [string, string] => [`with our kid and alg ${alg}`, altered(live.access_token, {}, { alg })],
    ),
    ['with an unknown kid', altered(live.access_token, {}, { kid: 'x' })],
    ['with kid __proto__', altered(live.access_token, {}, { kid: '__proto__' })],
    ['with a kid that is no string', altered(live.access_token, {}, { kid: ['x'] })],
    ['with crit', altered(live.access_token, {}, { crit: ['x'], x: 1 })],
    ['without a signature', live.access_token.replace(/[^.]+$/, '')],
    ['cut in half', live.access_token.slice(0, live.access_token.length / 2)],
    ['that is an ID token', live.id_token],
    ['that is a refresh token', live.refresh_token],
    ['that is an ID token with typ at+jwt', altered(live.id_token, {}, { typ: 'at+jwt' })],
    ['that is nonsense', 'a.b.c'],
  ];

  it.each(forged)('%s is refused at UserInfo and at the sample backend', async (_what, token) => {
    const authorization = `Bearer ${await token}`;
    for (const path of ['/userinfo', '/api/products']) {
      const response = await get(url + path, { authorization });
      await expectRefused(response, [401]);
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  it('is refused when another sandbox signed it', async () => {
    await using other = await createSandbox();
    const authorization = `Bearer ${(await signIn(other.url)).access_token}`;
    for (const path of ['/userinfo', '/api/products'])
      await expectRefused(await get(url + path, { authorization }), [401]);
  });

  it.each(['RS256', 'ES256', 'EdDSA'] as const)(
    'with an alg that is not the one of its key is 401 for a %s key',
    async signingAlg => {
      await using other = await createSandbox({ signingAlg });
      const { access_token, id_token } = await signIn(other.url);
      for (const alg of ['RS256', 'RS384', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']) {
        if (alg === signingAlg) continue;
        const authorization = `Bearer ${altered(access_token, {}, { alg })}`;
        for (const path of ['/userinfo', '/api/products'])
          await expectRefused(await get(other.url + path, { authorization }), [401]);
        await expectRefused(
          await get(
            `${other.url}/connect/logout?id_token_hint=${altered(id_token, {}, { alg: alg === 'RS256' ? 'ES384' : alg })}`,
          ),
          [400],
        );
      }
    },
  );

  it('that is expired is refused, with the sample backend and UserInfo of one mind', async () => {
    let now = 1_800_000_000;
    await using slow = await createSandbox({}, { now: () => now });
    const { access_token } = await signIn(slow.url, 'alice', { scope: 'openid products:read' });
    const statuses = async () => {
      const headers = { authorization: `Bearer ${access_token}` };
      return [
        (await get(`${slow.url}/userinfo`, headers)).status,
        (await get(`${slow.url}/api/products`, headers)).status,
      ];
    };
    now += 299;
    expect(await statuses()).toEqual([200, 200]);
    now += 1;
    expect(await statuses()).toEqual([401, 401]);
  });
});

describe('a script in a reflected field', () => {
  const script = '"\'><script>alert(1)</script><img src=x onerror=alert(2)>';

  const expectEscaped = async (response: Response) => {
    const html = await response.text();
    expect(response.headers.get('content-type')).toMatch('text/html');
    expect(html).not.toMatch(/<script>alert|<img src=x|"'>/);
    return html;
  };

  it.each(['state', 'nonce', 'login_hint', 'ui_locales', 'resource', 'redirect_uri', 'unheard_of'])(
    '%s is text on the login page',
    async name => {
      const value = name === 'redirect_uri' ? `http://localhost:1/?${encodeURIComponent(script)}` : script;
      const parameters = name === 'resource' ? { resource: `urn:x:${script}` } : { [name]: value };
      await expectEscaped(await get(`${url}/oauth2/authorize?${authorizeQuery(parameters)}`));
    },
  );

  it.each(['client_id', 'redirect_uri'])('%s is text on the error page', async name => {
    const html = await expectEscaped(await get(`${url}/oauth2/authorize?${authorizeQuery({ [name]: script })}`));
    expect(html).toContain('&lt;script&gt;');
  });

  it.each(['client_id', 'post_logout_redirect_uri', 'id_token_hint', 'state'])(
    '%s is text on the logout pages',
    async name => {
      const query = new URLSearchParams({ client_id: 'frontend', [name]: script });
      await expectEscaped(await get(`${url}/connect/logout?${query}`, { cookie }));
    },
  );

  it('the path is text on the 404 page', async () => {
    const answered = await raw(
      port,
      `GET /<script>alert(1)</script> HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(answered).not.toContain('<script>alert');
  });

  it('the method is text on the 405 page', async () => {
    const response = await fetch(`${url}/login`, { method: 'PUT', headers: { accept: 'text/html' } });
    await expectEscaped(response);
  });

  it.each(['sub', 'username', 'action'])('%s is text on the login page that is shown again', async name => {
    await using strict = await createSandbox({ loginMode: 'password' });
    const form = { username: 'x', password: 'x', [name]: script };
    await expectEscaped(await post(`${strict.url}/login?${authorizeQuery({ state: script })}`, form));
  });

  it('the name of a user is text on the logout page', async () => {
    await post(`${url}/login?${authorizeQuery()}`, { sub: script }, { origin: url });
    const evil = await login(url, script);
    const html = await expectEscaped(await get(`${url}/connect/logout`, { cookie: evil }));
    expect(html).toContain('&lt;script&gt;');
  });

  it('the name of a user is text on the login page', async () => {
    const evil = await login(url, script);
    await expectEscaped(await get(`${url}/oauth2/authorize?${authorizeQuery({ prompt: 'login' })}`, { cookie: evil }));
  });

  it('a configured name is text wherever it is shown', async () => {
    const clients = [{ client_id: 'frontend', client_name: script, redirect_uris: [callback], scope: 'evil' }];
    const users = [{ sub: 'alice', claims: { name: script, email: script } }];
    await using odd = await createSandbox({ clients, users, label: script, scopes: { evil: script } });
    await expectEscaped(await get(`${odd.url}/oauth2/authorize?${authorizeQuery({ scope: 'evil' })}`));
    await expectEscaped(await get(`${odd.url}/connect/logout?client_id=frontend`, { cookie: await login(odd.url) }));
    await expectEscaped(await get(`${odd.url}/nothing`, { accept: 'text/html' }));
  });

  it('the state is text in the form of form_post', async () => {
    const query = authorizeQuery({ response_mode: 'form_post', state: script });
    const html = await expectEscaped(await get(`${url}/oauth2/authorize?${query}`, { cookie }));
    expect(html).toContain('&lt;script&gt;');
  });
});

describe('header injection', () => {
  it.each(['state', 'redirect_uri', 'nonce', 'response_mode', 'prompt'])(
    'by CR LF in %s puts no header into an answer',
    async name => {
      const query = authorizeQuery({ [name]: '' });
      const injected = `${query}&${name}=${encodeURIComponent(`${callback}\r\nSet-Cookie: evil=1\r\n\r\n<b>`)}`;
      const answered = await raw(
        port,
        `GET /oauth2/authorize?${injected} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      expect(statusOf(answered)).toBeGreaterThan(0);
      expect(answered).not.toMatch(/^set-cookie: evil/im);
    },
  );

  it('by a redirect URI with characters no header can hold is refused', async () => {
    for (const uri of ['http://localhost/€', 'http://localhost/\u{1F600}', 'http://localhost/é'])
      await expectRefused(
        await get(`${url}/oauth2/authorize?${authorizeQuery({ redirect_uri: uri })}`, { cookie }),
        [400],
      );
  });
});

describe('broken HTTP', () => {
  const close = 'Host: localhost\r\nConnection: close\r\n';
  const form = 'Content-Type: application/x-www-form-urlencoded\r\n';

  it.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['NULs', '\0\0\0\0\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['no version', 'GET /health\r\n\r\n'],
    ['HTTP/9.9', `GET /health HTTP/9.9\r\n${close}\r\n`],
    ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown method', `FROB /health HTTP/1.1\r\n${close}\r\n`],
    ['a NUL in the path', `GET /he\0alth HTTP/1.1\r\n${close}\r\n`],
    ['a space in the path', `GET /he alth HTTP/1.1\r\n${close}\r\n`],
    ['a header without a colon', `GET /health HTTP/1.1\r\nnonsense\r\n${close}\r\n`],
    ['a NUL in a header', `GET /health HTTP/1.1\r\nX: a\0b\r\n${close}\r\n`],
    ['folded headers', `GET /health HTTP/1.1\r\nX: a\r\n b\r\n${close}\r\n`],
    ['a huge header', `GET /health HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n${close}\r\n`],
    ['a huge path', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${close}\r\n`],
    ['a length in words', `POST /oauth2/token HTTP/1.1\r\n${close}${form}Content-Length: much\r\n\r\n`],
    ['a negative length', `POST /oauth2/token HTTP/1.1\r\n${close}${form}Content-Length: -1\r\n\r\n`],
    ['two lengths', `POST /oauth2/token HTTP/1.1\r\n${close}${form}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
    [
      'length and chunks',
      `POST /oauth2/token HTTP/1.1\r\n${close}${form}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['broken chunks', `POST /oauth2/token HTTP/1.1\r\n${close}${form}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['two hosts', `GET /health HTTP/1.1\r\nHost: localhost\r\n${close}\r\n`],
    ['an absolute target', `GET http://evil.example/health HTTP/1.1\r\n${close}\r\n`],
    ['an asterisk', `OPTIONS * HTTP/1.1\r\n${close}\r\n`],
    ['CONNECT', `CONNECT evil.example:443 HTTP/1.1\r\n${close}\r\n`],
    ['an upgrade', `GET /dashboard HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`],
    ['bytes over 127 in the path', `GET /\xe4\xf6\xfc HTTP/1.1\r\n${close}\r\n`],
    ['bytes over 127 in the query', `GET /login?\xe4=\xff HTTP/1.1\r\n${close}\r\n`],
    ['bytes over 127 in a cookie', `GET /login HTTP/1.1\r\nCookie: a=\xff\r\n${close}\r\n`],
    ['a double slash', `GET //evil.example/oauth2/jwks HTTP/1.1\r\n${close}\r\n`],
    ['a query alone', `GET ?x HTTP/1.1\r\n${close}\r\n`],
  ])('%s is refused or answered, and the next request too', async (_what, text) => {
    const answered = await raw(port, text, { patience: 500 });
    expect(statusOf(answered)).toBeLessThan(500);
    expect(answered).not.toMatch(/^location: (https?:)?\/\/evil/im);
    expect((await get(`${url}/health`)).status).toBe(200);
  });

  it('a body that ends early hurts nobody', async () => {
    const head = `POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\n${form}Content-Length: 100\r\n\r\ngrant_`;
    await raw(port, head, { end: true, patience: 300 });
    await Promise.all(Array.from({ length: 20 }, () => raw(port, head, { patience: 20 })));
    expect((await get(`${url}/health`)).status).toBe(200);
  });
});

it('nothing in all of this was a failure of ours', () => {
  expect(failures).toEqual([]);
});
