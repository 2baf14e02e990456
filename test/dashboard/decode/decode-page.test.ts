import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TokenIssued } from '../../../src/base/events/event.ts';
import { decodePage } from '../../../src/dashboard/decode/decode-pages.ts';
import type { PageContext } from '../../../src/dashboard/page.ts';
import { verifySignature } from '../../../src/protocol/tokens/verify-signature.ts';
import { forgeries } from '../../support/forgeries.ts';
import { createTestServer } from '../../support/server.ts';
import {
  createLog,
  deskFor,
  hostile,
  issue,
  issuer,
  jwt,
  now,
  type RunningDashboard,
  refreshFact,
  runDashboard,
  tokenFact,
} from '../running-dashboard.ts';

const claims = { iss: issuer, aud: 'frontend', sub: 'alice', exp: now + 240, iat: now };

/** What is said of a token, level and text. */
async function verdict(text: string, more: Partial<PageContext> = {}): Promise<string[]> {
  const events = more.events ?? createLog();
  const { tokens } = await decodePage(text, { ...deskFor(events, more) } as PageContext);
  return (tokens[0]?.verdict ?? []).map(({ level, text: words }) => `${level}: ${words}`);
}

describe('beside what an API expects', () => {
  const compared = async (expected: object) => {
    const { tokens } = await decodePage(jwt(claims), deskFor(createLog()) as PageContext, { expected });
    return (tokens[0]?.verdict ?? []).map(({ level, text: words }) => `${level}: ${words}`);
  };

  it('a token is compared member by member', async () => {
    expect((await compared({ issuer, audience: 'frontend', typ: 'at+jwt' })).slice(0, 3)).toEqual([
      `pass: iss is "${issuer}", as expected`,
      'pass: aud is "frontend", as expected',
      'pass: typ is "at+jwt", as expected',
    ]);
    const others = await compared({ issuer: `${issuer}/`, audience: 'my-api', typ: 'JWT' });
    expect(others.slice(0, 2)).toEqual([
      `fail: iss is "${issuer}", and "${issuer}/" is expected`,
      'fail: aud is "frontend", and "my-api" is expected',
    ]);
    expect(others[2]).toBe('fail: typ is "at+jwt", and "JWT" is expected');
    expect(others.join()).not.toContain('the sample API');
  });
});

describe('the verdict', () => {
  it('says that it is ours, by which key, for whom, and how long it is good', async () => {
    expect(await verdict(jwt(claims))).toEqual([
      'pass: signature RS256, verified with key key-1, the current signing key',
      'pass: iss is this sandbox',
      'pass: not expired, 4 min left',
      'pass: aud is "frontend", which the sample API accepts',
    ]);
  });

  it.each([
    ['expired', { exp: now - 90 }, {}, 'fail: expired 1 min 30 s ago'],
    ['not valid yet', { nbf: now + 30 }, {}, 'fail: not valid yet, valid in 30 s'],
    ['without an end', { exp: undefined }, {}, 'note: no exp: the token never expires'],
    [
      'with milliseconds',
      { exp: now * 1000 },
      {},
      `fail: exp is ${now * 1000}: this looks like milliseconds, but exp is in seconds`,
    ],
    ['with a time in words', { exp: 'tomorrow' }, {}, 'fail: exp is "tomorrow", but must be a number'],
    ['without an issuer', { iss: undefined }, {}, 'note: no iss: the token does not name its issuer'],
    ['without an audience', { aud: undefined }, {}, 'fail: no aud: the token does not name its receiver'],
    ['with alg none', {}, { alg: 'none' }, 'fail: alg is none: anybody could have written this token'],
    [
      'with a shared secret',
      {},
      { alg: 'HS256' },
      'warn: alg is HS256: a server that can verify this token can also forge one, because both need the same secret',
    ],
    [
      'with a key of its own',
      {},
      { jku: 'https://evil.example/jwks' },
      'warn: jku in the header: the token brings its own key. A receiver that uses it accepts forged tokens',
    ],
    [
      'with a certificate',
      {},
      { x5u: 'https://evil.example', x5c: [] },
      'warn: x5u, x5c in the header: the token brings its own key. A receiver that uses it accepts forged tokens',
    ],
    [
      'with crit',
      {},
      { crit: ['b64'] },
      'warn: crit names b64: a receiver that does not support this must refuse the token',
    ],
    ['without typ', {}, { typ: undefined }, 'note: no typ: the token does not name its kind'],
    ['without kid', {}, { kid: undefined }, 'note: no kid: the token does not name its key'],
  ])('of one %s says so', async (_, changes, header, expected) => {
    expect(await verdict(jwt({ ...claims, ...changes }, header))).toContain(expected);
  });

  it('blames no token of another server for a key that is not known here', async () => {
    const foreign = jwt({ ...claims, iss: 'https://login.example' }, {}, 'AAAA');
    expect(await verdict(foreign)).toEqual(
      expect.arrayContaining([
        'note: signature not verified: no key of ours fits',
        `note: iss is "https://login.example"; this sandbox is ${issuer}. A different server issued this token, and its keys are unknown here`,
      ]),
    );
    expect(await verdict(jwt(claims, {}, 'AAAA'))).toContain('fail: signature not verified: no key of ours fits');
  });

  it('says that an issuer with another name is refused, though the signature is good', async () => {
    expect(await verdict(jwt({ ...claims, iss: 'http://idp:9000' }))).toContain(
      `fail: iss is "http://idp:9000"; this sandbox is ${issuer}. An API that compares iss refuses this token`,
    );
  });

  it('says that nothing is proven without a signature', async () => {
    expect(await verdict(jwt(claims).split('.').slice(0, 2).join('.'))).toContain(
      'fail: no signature: anybody could have written this token',
    );
  });
});

describe('by the real keys of a server', () => {
  const sandbox = createTestServer();
  const verify = (token: string) => verifySignature(sandbox.server, token);

  it('a token passes, and its forgeries do not', async () => {
    const { access_token } = await sandbox.tokens();
    const key = await sandbox.server.keys.forAlg('ES256');
    expect((await verdict(access_token, { verify }))[0]).toBe(
      `pass: signature ES256, verified with key ${key.kid}, the current signing key`,
    );
    for (const [, forged] of await forgeries(access_token, key)) {
      expect((await verdict(forged, { verify })).filter(line => line.startsWith('pass: signature'))).toEqual([]);
    }
  });

  it('a key of the same name does not pass', async () => {
    const key = await sandbox.server.keys.forAlg('ES256');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { signJwt } = await import('../../../src/protocol/tokens/signing-key.ts');
    const forged = await signJwt({ ...key, privateKey }, 'at+jwt', claims);
    expect((await verdict(forged, { verify }))[0]).toBe(
      `fail: signature not verified: it does not match the key ${key.kid}: the token was changed or truncated`,
    );
  });
});

describe('one of ours', () => {
  const pageOf = async (text: string, ...facts: TokenIssued[]) => {
    const events = createLog();
    for (const fact of facts) issue(events, fact);
    return (await decodePage(text, deskFor(events) as PageContext)).tokens;
  };

  it('is linked, and says what put each claim there', async () => {
    const token = jwt({ ...claims, roles: ['admin'] });
    const [found] = await pageOf(`Bearer ${token}`, tokenFact('tok_1', { token }));
    expect(found?.ours).toEqual({ tokenId: 'tok_1', title: 'Access token for alice', status: 'valid', isSame: true });
    expect(found?.claims.find(({ name }) => name === 'roles')?.origin).toMatchObject({ source: 'user' });
  });

  it('is told apart from one that only has its jti', async () => {
    const forged = jwt({ ...claims, jti: 'auth-1.1', roles: ['root'] }, {}, 'AAAA');
    const [found] = await pageOf(forged, tokenFact('tok_1'));
    expect(found?.ours).toMatchObject({ tokenId: 'tok_1', isSame: false });
    expect(found?.claims.filter(({ origin }) => origin !== undefined)).toEqual([]);
  });

  it('is found when it is opaque, with what it stands for', async () => {
    const opaque = tokenFact('tok_1', { format: 'opaque', token: 'x'.repeat(43), claims });
    const [found] = await pageOf('x'.repeat(43), opaque);
    expect(found).toMatchObject({ ours: { tokenId: 'tok_1' }, words: expect.stringContaining('A random string') });
    expect(found?.claims.map(({ name }) => name)).toEqual(Object.keys(claims));
    expect((await pageOf('raw-tok_r', refreshFact('tok_r')))[0]?.ours?.title).toBe('Refresh token for alice');
  });

  it('is read though it is encrypted: the log knows what is inside', async () => {
    const jwe = `${Buffer.from('{"alg":"RSA-OAEP-256","enc":"A256GCM"}').toString('base64url')}.a1.b2.c3.d4`;
    const [found] = await pageOf(jwe, tokenFact('tok_1', { tokenType: 'id', token: jwe, signed: jwt(claims) }));
    expect(found?.words).toBe('An encrypted token (JWE): this sandbox issued it and knows the content');
    expect(found?.claims.map(({ name }) => name)).toEqual(Object.keys(claims));
    expect((await pageOf(jwe))[0]).toMatchObject({ claims: [], words: expect.stringContaining('private key') });
  });
});

describe('the page', () => {
  let dashboard: RunningDashboard;
  beforeEach(async () => {
    dashboard = await runDashboard();
  });
  afterEach(() => dashboard[Symbol.asyncDispose]());

  const post = (token: string, headers: Record<string, string> = {}) =>
    fetch(`${dashboard.url}/dashboard/decode`, { method: 'POST', body: new URLSearchParams({ token }), headers });

  it('takes a token in a body, shows it as text, and keeps it nowhere', async () => {
    const token = jwt({ ...claims, note: hostile });
    const html = await (await post(token)).text();
    expect(html).toContain('not expired, 4 min left');
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img src=x');
    expect(dashboard.events.lastId).toBe(0);
  });

  it('shows hostile text that is no token as text, too', async () => {
    const html = await (await post(hostile)).text();
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('&lt;script&gt;');
  });

  it('shows each token of a response', async () => {
    const html = await (await post(JSON.stringify({ access_token: jwt(claims), refresh_token: 'random' }))).text();
    expect(html.match(/data-testid="decode-token"/g)).toHaveLength(2);
  });

  it('works where the dashboard only shows, and refuses a page of somebody else', async () => {
    await using readonly = await runDashboard({ access: 'readonly' });
    const body = () => new URLSearchParams({ token: jwt(claims) });
    const shown = await fetch(`${readonly.url}/dashboard/decode`, { method: 'POST', body: body() });
    expect([shown.status, (await shown.text()).includes('iss is this sandbox')]).toEqual([200, true]);
    expect((await post(jwt(claims), { Origin: 'https://evil.example' })).status).toBe(403);
  });

  it('says so when it is too much', async () => {
    const response = await post('x'.repeat(70_000));
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('The text is longer than 64 KiB');
  });

  it('opens for a token of somebody else that is pasted into a filter with scripts off', async () => {
    const html = await dashboard.text(
      `/dashboard/tokens?q=${jwt({ ...claims, iss: 'https://login.example' }, {}, 'AAAA')}`,
    );
    expect(html).toContain('A different server issued this token');
  });
});
