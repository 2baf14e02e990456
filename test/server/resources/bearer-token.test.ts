import { connect } from 'node:net';
import { CompactSign, createLocalJWKSet, exportJWK, exportSPKI } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { claims, createKey, issuer, now, resourceMetadata, rsa, sign, startServer } from './running-server.ts';

const server = await startServer();
afterAll(() => server.close());

const get = (authorization?: string) =>
  fetch(`${server.url}/api/products`, authorization === undefined ? {} : { headers: { authorization } });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function refusal(token: string, options: { on?: typeof server } = {}) {
  const response = await (options.on ?? server).request('/api/products', { token });
  const challenge = response.headers.get('www-authenticate') ?? '';
  return { status: response.status, challenge, body: (await response.json()) as { error?: string; detail: string } };
}

async function expectRefusal(token: string, words: string | RegExp, options: { on?: typeof server } = {}) {
  const { status, challenge, body } = await refusal(token, options);
  expect(status).toBe(401);
  expect(challenge).toMatch(/^Bearer error="invalid_token", error_description="[\x20\x21\x23-\x5B\x5D-\x7E]{10,400}"/);
  expect(body.error).toBe('invalid_token');
  expect(body.detail).toMatch(words);
}

describe('the Authorization header (RFC 6750 §2.1)', () => {
  it('is challenged without an error code when it is absent', async () => {
    const response = await get();
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer scope="products:read", resource_metadata="${resourceMetadata('products')}"`,
    );
  });

  it.each(['Basic Zm9vOmJhcg==', 'DPoP abc', 'Token'])('is challenged without an error code for %s', async header => {
    const response = await get(header);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer scope="products:read", resource_metadata="${resourceMetadata('products')}"`,
    );
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining(header.split(' ')[0] ?? '') });
  });

  it.each([
    'Bearer',
    'bearer a b',
    'Bearer tök',
    'Bearer a,b',
    'Bearer "abc"',
    'Bearer\tabc',
    'Bearer =',
    'Bearer a=b',
  ])('is an invalid_request when malformed: %s', async header => {
    const response = await get(header);
    expect(response.status).toBe(400);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_request", error_description="/);
  });

  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR '])('accepts the scheme written %s', async scheme => {
    expect((await get(`${scheme} ${await sign()}`)).status).toBe(200);
  });

  it('is the only place where a token is looked for', async () => {
    expect((await get()).status).toBe(401);
    expect((await server.request(`/api/products?access_token=${await sign()}`)).status).toBe(401);
  });
});

describe('signatures', () => {
  it.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])(
    'accepts %s',
    async alg => {
      const { privateKey, publicKey } = await createKey(alg);
      const other = await startServer({ keys: async () => publicKey });
      const token = await sign({}, { alg }, privateKey);
      const tampered = token.replace(/\.[^.]+\./, `.${encode({ ...claims, sub: 'mallory' })}.`);
      expect((await other.request('/api/products', { token })).status).toBe(200);
      await expectRefusal(tampered, 'the signature does not match', { on: other });
      await expectRefusal(`${token.slice(0, token.lastIndexOf('.'))}.AAAA`, 'the signature does not match', {
        on: other,
      });
      await other.close();
    },
  );

  it('accepts ML-DSA-44 from Node 24 on, which is the first that makes such keys', async () => {
    if (Number(process.versions.node.split('.')[0]) < 24) return expect(createKey('ML-DSA-44')).rejects.toThrow();
    const { privateKey, publicKey } = await createKey('ML-DSA-44');
    const other = await startServer({ keys: async () => publicKey });
    const token = await sign({}, { alg: 'ML-DSA-44' }, privateKey);
    expect((await other.request('/api/products', { token })).status).toBe(200);
    await other.close();
  });

  it.each(['none', 'None', 'nOnE'])('refuses alg %s with an empty signature', async alg => {
    await expectRefusal(`${encode({ alg, typ: 'at+jwt', kid: 'rsa' })}.${encode(claims)}.`, 'the token is not signed');
  });

  it.each(['none', 'HS256', 'HS384', 'HS512', 'RS1', 'ES256K', 'constructor', '__proto__', ''])(
    'refuses alg %s',
    async alg => {
      const token = `${encode({ alg, typ: 'at+jwt', kid: 'rsa' })}.${encode(claims)}.AAAA`;
      await expectRefusal(token, `alg in the header of the token is '${alg}'; expected one of RS256, `);
    },
  );

  it('refuses HMAC with the public key as the secret', async () => {
    const secret = new TextEncoder().encode(await exportSPKI(rsa.publicKey));
    await expectRefusal(await sign({}, { alg: 'HS256' }, secret), "alg in the header of the token is 'HS256'");
  });

  it('refuses HMAC and none even where the allow-list names them', async () => {
    const lenient = await startServer({ algorithms: ['RS256', 'none', 'HS256'] });
    const token = await sign({}, { alg: 'HS256' }, new Uint8Array(32));
    await expectRefusal(token, "is 'HS256'; expected one of RS256", { on: lenient });
    await lenient.close();
  });

  it('refuses an algorithm outside the allow-list', async () => {
    const strict = await startServer({ algorithms: ['ES256'] });
    await expectRefusal(await sign(), "alg in the header of the token is 'RS256'; expected one of ES256", {
      on: strict,
    });
    await strict.close();
  });

  it.each([
    ['RS256', 'ES256'],
    ['RS256', 'PS256'],
    ['RS256', 'RS512'],
    ['ES256', 'ES384'],
    ['ES256', 'EdDSA'],
  ])('refuses a header with %s where the key is for %s', async (alg, keyAlg) => {
    const signer = await createKey(alg);
    const published = await createKey(keyAlg);
    const other = await startServer({ keys: async () => published.publicKey });
    await expectRefusal(await sign({}, { alg }, signer.privateKey), `is for ${keyAlg}`, { on: other });
    await other.close();
  });

  it('refuses every token where the resolver gives an HMAC key', async () => {
    const secret = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify']);
    const other = await startServer({ keys: async () => secret });
    await expectRefusal(await sign(), 'is for none of the algorithms allowed here', { on: other });
    await expectRefusal(await sign({}, { alg: 'HS256' }, secret), "alg in the header of the token is 'HS256'", {
      on: other,
    });
    await other.close();
  });

  it('refuses PKCS #1 padding under a PS256 header', async () => {
    const { privateKey, publicKey } = await createKey('PS256');
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    const jwk = { ...(await exportJWK(privateKey)), alg: 'RS256' };
    const otherPadding = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign']);
    const input = `${encode({ alg: 'PS256', typ: 'at+jwt', kid: 'rsa' })}.${encode(claims)}`;
    const signature = await crypto.subtle.sign(algorithm, otherPadding, new TextEncoder().encode(input));
    const other = await startServer({ keys: async () => publicKey });
    const token = `${input}.${Buffer.from(signature).toString('base64url')}`;
    await expectRefusal(token, 'the signature does not match', { on: other });
    await other.close();
  });

  it('refuses a token of another key under a known kid', async () => {
    const other = await createKey('RS256');
    await expectRefusal(await sign({}, {}, other.privateKey), 'the signature does not match');
  });

  it('refuses an unknown kid and names it', async () => {
    await expectRefusal(await sign({}, { kid: 'nobody' }), "the issuer has no key with kid 'nobody'");
  });

  it('refuses a token without kid where the issuer has no such key', async () => {
    await expectRefusal(await sign({}, { kid: undefined as never }), 'the header of the token has no kid');
  });

  it('refuses a last signature character that decodes to the same octets', async () => {
    const token = await sign();
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const sibling = alphabet[alphabet.indexOf(token.slice(-1)) ^ 1];
    await expectRefusal(token.slice(0, -1) + sibling, 'not canonical base64url');
  });

  it('refuses a critical header extension', async () => {
    const header = { alg: 'RS256', typ: 'at+jwt', kid: 'rsa', crit: ['b64'], b64: false };
    await expectRefusal(`${encode(header)}.${encode(claims)}.AAAA`, 'no critical extension is supported');
  });

  it('uses the key set of jose as it is', async () => {
    const jwk = { ...(await exportJWK(rsa.publicKey)), alg: 'RS256', kid: 'rsa' };
    const other = await startServer({ keys: createLocalJWKSet({ keys: [jwk] }) });
    expect((await other.request('/api/products', { token: await sign() })).status).toBe(200);
    await expectRefusal(await sign({}, { kid: 'nobody' }), 'no key with kid', { on: other });
    await other.close();
  });
});

describe('a good token', () => {
  it('is verified at each call, with one look for its key: a key that is withdrawn ends it', async () => {
    const looked: unknown[] = [];
    let published: CryptoKey | undefined = rsa.publicKey;
    const other = await startServer({
      async keys(header) {
        looked.push(header.kid);
        return published;
      },
    });
    const token = await sign();
    for (const _ of [1, 2]) expect((await other.request('/api/products', { token })).status).toBe(200);
    expect(looked).toEqual(['rsa', 'rsa']);
    published = undefined;
    await expectRefusal(token, "no key with kid 'rsa'", { on: other });
    await other.close();
  });

  it.each([
    ['an exp beyond all numbers', '{"exp":1e999}', 'exp is Infinity; expected a number of seconds'],
    ['octets that are no UTF-8', '{"sub":"\xff"}', 'the token is not valid: JWT Claims Set must be'],
  ])('has no %s', async (_, changes, words) => {
    const text = `${JSON.stringify(claims).slice(0, -1)},${changes.slice(1)}`;
    const signer = new CompactSign(Buffer.from(text, 'latin1'));
    const token = await signer.setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'rsa' }).sign(rsa.privateKey);
    await expectRefusal(token, words);
  });
});

describe('the form of a token', () => {
  const header = encode({ alg: 'RS256', typ: 'at+jwt', kid: 'rsa' });

  it.each([
    ['garbage', 'the token has 1 part;'],
    ['a.b', 'the token has 2 parts;'],
    ['a.b.c.d.e', 'encrypted JWT'],
    ['a.b.c', 'the header of the token is not a JSON object'],
    ['..', 'the token is not signed'],
    ['.a.b', 'not all are base64url'],
    ['a+b.c.d', 'not all are base64url'],
    [`${encode([])}.e30.AAAA`, 'the header of the token is not a JSON object'],
    [`${encode(null)}.e30.AAAA`, 'the header of the token is not a JSON object'],
    [`${encode({})}.e30.AAAA`, 'no alg'],
    [`${encode({ alg: 7 })}.e30.AAAA`, 'no alg'],
    [`${encode({ alg: 'RS256', kid: {} })}.e30.AAAA`, 'kid in the header of the token is not a string'],
    [`${encode({ alg: 'RS256', typ: [] })}.e30.AAAA`, 'typ in the header of the token is not a string'],
    [`${header}.${encode('text')}.AAAA`, 'the payload of the token is not a JSON object'],
    [`${header}.bm8.AAAA`, 'the payload of the token is not a JSON object'],
    ['A'.repeat(7000), 'the token has 1 part;'],
    [`${encode({ alg: 'x'.repeat(5000) })}.e30.AAAA`, 'alg in the header of the token is'],
    [`${encode({ alg: 'RS256', typ: 'at+jwt', kid: 'k'.repeat(5000) })}.e30.AAAA`, 'the issuer has no key with kid'],
    [`${encode({ alg: 'é"\\\r\nX-Evil: 1 😀' })}.e30.AAAA`, 'alg in the header of the token is'],
    [`${encode({ alg: 'RS256', typ: 'at+jwt', kid: '"\r\nSet-Cookie: a=b' })}.e30.AAAA`, 'no key with kid'],
    [`${header}.${'W'.repeat(6000)}.AAAA`, 'the payload of the token is not a JSON object'],
    [`${header}.${Buffer.from('['.repeat(5000)).toString('base64url')}.AAAA`, 'the payload of the token is not'],
  ])('is refused in words: %.40s', async (token, words) => {
    await expectRefusal(token, words);
  });

  it('survives raw octets beyond ASCII in the header', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(
          Buffer.from(
            'GET /api/products HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \xff\xfe\x80\r\n\r\n',
            'latin1',
          ),
        );
      });
      let text = '';
      socket
        .on('data', chunk => (text += chunk))
        .on('end', () => resolve(text))
        .on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request/);
  });
});

describe('typ (RFC 9068 §2.1)', () => {
  it.each(['at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/AT+JWT'])('accepts %s', async typ => {
    expect((await server.request('/api/products', { token: await sign({}, { typ }) })).status).toBe(200);
  });

  it.each([['JWT'], ['at+jwt2'], ['application/jwt'], ['logout+jwt'], ['dpop+jwt']])('refuses %s', async typ => {
    await expectRefusal(await sign({}, { typ }), `typ in the header of the token is '${typ}'; expected at+jwt`);
  });

  it('refuses a token without typ', async () => {
    await expectRefusal(
      await sign({}, { typ: undefined as never }),
      'typ in the header of the token is nothing; expected at+jwt',
    );
  });

  it.each(['JWT', undefined])('tells an ID token with typ %s that it is one', async typ => {
    const idToken = await sign({ client_id: undefined, scope: undefined, nonce: 'n' }, { typ: typ as never });
    await expectRefusal(idToken, /^this is an ID token; send the access token$/);
  });
});

describe('claims (RFC 9068 §4)', () => {
  it.each([
    ['another iss', { iss: 'https://evil.example' }, `iss is 'https://evil.example'; expected '${issuer}'`],
    ['the issuer with a slash', { iss: `${issuer}/` }, 'iss is'],
    ['no iss', { iss: undefined }, 'iss is nothing'],
    ['an exp one second ago', { exp: now - 1 }, `the token has expired: exp is ${now - 1}, 1 s ago`],
    ['an exp of now', { exp: now }, 'the token has expired'],
    ['no exp', { exp: undefined }, 'exp is nothing; expected a number'],
    ['an exp in quotes', { exp: String(now + 300) }, 'expected a number of seconds'],
    ['a null exp', { exp: null }, 'exp is null; expected a number'],
    ['an nbf one second ahead', { nbf: now + 1 }, `the token is not valid yet: nbf is ${now + 1}, in 1 s`],
    ['an nbf that is no number', { nbf: {} }, 'nbf is an object'],
    ['no sub', { sub: undefined }, 'sub is nothing; expected a string'],
    ['no client_id', { client_id: undefined }, 'client_id is nothing; expected a string'],
    ['no jti', { jti: undefined }, 'jti is nothing; expected a string'],
    ['a sub that is a number', { sub: 42 }, 'sub is 42; expected a string'],
    ['no iat', { iat: undefined }, 'iat is nothing; expected a number'],
    ['no aud', { aud: undefined }, 'aud is nothing; expected a string or a list'],
    ['an aud with numbers', { aud: [1, 'a'] }, "aud is \\[number, 'a'\\]; expected a string or a list"],
  ])('refuses a token with %s', async (_, changes, words) => {
    await expectRefusal(await sign(changes), new RegExp(words));
  });

  it('accepts a token until the second before exp, and after it refuses', async () => {
    const token = await sign();
    server.clock.now = now + 299;
    expect((await server.request('/api/products', { token })).status).toBe(200);
    server.clock.now = now + 300;
    expect((await server.request('/api/products', { token })).status).toBe(401);
    server.clock.now = now;
  });

  it('accepts a token without nbf', async () => {
    expect((await server.request('/api/products', { token: await sign({ nbf: undefined }) })).status).toBe(200);
  });

  it.each([
    [{ exp: now - 59 }, 200],
    [{ exp: now - 60 }, 401],
    [{ nbf: now + 60 }, 200],
    [{ nbf: now + 61 }, 401],
  ])('with a clock skew of 60 s answers %o with %i', async (changes, status) => {
    const skewed = await startServer({ clockSkew: 60 });
    expect((await skewed.request('/api/products', { token: await sign(changes) })).status).toBe(status);
    await skewed.close();
  });

  it.each([
    ['https://api.example', 200],
    [['x', 'https://api.example'], 200],
    [['https://api2.example'], 200],
    ['https://api.example/', 401],
    [['x', 'y'], 401],
    [[], 401],
  ])('where an audience is configured, answers aud %j with %i', async (aud, status) => {
    const picky = await startServer({ audience: ['https://api.example', 'https://api2.example'] });
    const response = await picky.request('/api/products', { token: await sign({ aud }) });
    expect(response.status).toBe(status);
    await picky.close();
  });

  it('says which audience it expects', async () => {
    const picky = await startServer({ audience: ['https://api.example'] });
    await expectRefusal(await sign(), "aud is 'frontend'; expected 'https://api.example'", { on: picky });
    await picky.close();
  });

  it('keeps what it reflects short and printable', async () => {
    const { challenge } = await refusal(await sign({ iss: `"\\\u0000é${'x'.repeat(3000)}` }));
    expect(challenge).toMatch(
      /^Bearer error="invalid_token", error_description="[\x20\x21\x23-\x5B\x5D-\x7E]{1,400}", scope="products:read", resource_metadata="[^"]+"$/,
    );
  });
});

describe('a failing key resolver', () => {
  it('is a 500 problem without a stack, and told to onError', async () => {
    const failure = new Error('no route to the issuer');
    const broken = await startServer({ keys: () => Promise.reject(failure) });
    const response = await broken.request('/api/products', { token: await sign() });
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.text()).not.toMatch(/route|at /);
    expect(broken.errors).toEqual([failure]);
    await broken.close();
  });
});
