import { describe, expect, it } from 'vitest';
import type { CodeIssued, TokenIssued } from '../../src/base/events/event.ts';
import { decodeJwt } from '../../src/base/text/jwt.ts';
import { sh } from '../../src/dashboard/snippets/snippets.ts';
import { curlOf } from '../../src/dashboard/tokens/copy-as.ts';
import { tokenPage } from '../../src/dashboard/tokens/token-page.ts';
import { createSchema, parseResource } from '../../src/server/resources/resource-schema.ts';
import {
  codeFact,
  createLog,
  deskFor,
  frontend,
  hostile,
  issue,
  issuer,
  jwt,
  now,
  optionsFor,
  refreshFact,
  requestFact,
  tokenFact,
} from './running-dashboard.ts';

const events = createLog();
const options = deskFor(events);
const page = (fact: TokenIssued | CodeIssued) => tokenPage(issue(events, fact), options);
const claimsOf = async (claims: object, more: Partial<TokenIssued> = {}) =>
  (await page(tokenFact('tok_claims', { token: jwt(claims), ...more }))).claims;

describe('the page of a token', () => {
  it('shows type, user and status', async () => {
    expect(await page(tokenFact('tok_1'))).toMatchObject({
      title: 'Access token for alice',
      status: 'valid',
      leftWords: '5 min left',
      lifetimeWords: '5 min',
      answer: { who: 'alice', note: 'Alice Anders', app: 'Demo front end', scopes: 'products:read', roles: '' },
      from: { requestId: 'req_1', siblings: [] },
      expires: { absolute: '2023-11-14 22:18:20 UTC' },
    });
  });

  it('knows a client that registered itself', async () => {
    const stranger = { ...frontend, client_id: 'stranger', client_name: 'Stranger', origin: 'registration' } as const;
    const fact = tokenFact('tok_1', { client_id: 'stranger' });
    const known = deskFor(events, { registered: () => [frontend, stranger] });
    expect((await tokenPage(issue(events, fact), known)).answer.app).toBe('Stranger');
  });

  it('names the client if there is no user', async () => {
    const { sub: _, ...fact } = tokenFact('tok_1', { client_id: 'sensor' });
    const { title, answer } = await page(fact);
    expect([title, answer.who, answer.note]).toEqual(['Access token for client sensor', 'sensor', 'acts for itself']);
  });

  it('explains each claim', async () => {
    const claims = await claimsOf({ iss: issuer, exp: now + 60, cnf: { jkt: 'a' }, tenant: 'blue', other: { a: 1 } });
    expect(claims).toMatchObject([
      { name: 'iss', value: issuer, reference: 'RFC 7519 §4.1.1' },
      { name: 'exp', value: String(now + 60), moment: { relative: 'in 1 min' } },
      { name: 'cnf', value: '{"jkt":"a"}', reference: 'RFC 9449 §6.1', also: 'RFC 7800 §3.1' },
      { name: 'tenant', value: 'blue', reference: '' },
      { name: 'other', value: '{"a":1}', reference: '' },
    ]);
  });

  it('puts its own claims before those of the protocol, each on one line', async () => {
    const token = jwt({
      iss: issuer,
      tenant: 'blue',
      exp: now + 60,
      roles: ['admin', 'buyer'],
      iat: 1,
      scope: 'a b',
      sub: 'x',
    });
    const { groups, answer } = await page(tokenFact('tok_1', { token }));
    const lines = (rows: typeof groups.own) => rows.map(({ name, line, brief }) => `${name}: ${line}, ${brief}`);
    expect(lines(groups.own)).toEqual([
      'scope: a b, what the app may do',
      'roles: admin, buyer, roles of the user',
      'tenant: blue, set by the client',
    ]);
    expect(lines(groups.protocol)).toEqual([
      `iss: ${issuer}, who signed it`,
      'sub: x, the user',
      'iat: 1970-01-01 00:00:01 UTC, issued',
      'exp: 22:14:20 UTC, end of its life',
    ]);
    expect(answer.roles).toBe('admin, buyer');
  });

  it.each([
    [{ realm_access: { roles: ['a'] } }, 'a'],
    [{ groups: ['b', 'c'] }, 'b, c'],
    [{ 'cognito:groups': ['d'] }, 'd'],
    [{ roles: [] }, ''],
    [{ roles: { a: 1 } }, ''],
  ])('names the roles under each name that providers use: %j', async (claims, roles) => {
    expect((await page(tokenFact('tok_1', { token: jwt(claims) }))).answer.roles).toBe(roles);
  });

  it('says of a relaxed audience the same in the checks and at the claim', async () => {
    const { claims, checks } = await page(tokenFact('tok_1'));
    const said = checks.find(({ name }) => name === 'audience relaxed');
    expect(said).toMatchObject({ level: 'note', text: expect.stringContaining('your API should demand its own name') });
    const { words, brief } = claims.find(({ name }) => name === 'aud') ?? {};
    expect([words, brief]).toEqual([expect.stringContaining(said?.text ?? 'nothing'), 'for whom (relaxed)']);
  });

  it('shows the three parts of a JWT, and an encrypted token as it is', async () => {
    const token = jwt({ sub: 'alice' });
    const parts = (await page(tokenFact('tok_1', { token }))).jwt?.parts ?? [];
    expect(parts.map(({ text }) => text).join('')).toBe(token);
    expect(parts.map(({ words }) => words)).toEqual(['RS256, at+jwt, key key-1', '1 claim', '4 bytes, fits the key']);
    const encrypted = await page(tokenFact('tok_1', { tokenType: 'id', token: 'a.b.c.d.e', signed: token }));
    expect(encrypted.jwt).toMatchObject({ isEncrypted: true, parts: [] });
  });

  it('shows times nobody can mean', async () => {
    const claims = await claimsOf({ exp: 1e300, iat: -1e300, auth_time: 'yesterday', nbf: null });
    expect(claims.map(({ value }) => value)).toEqual(['1e+300', '-1e+300', 'yesterday', 'null']);
  });

  it('says by which grant it came, and with which the login began', async () => {
    const log = createLog();
    const grantOf = async (fact: TokenIssued | CodeIssued) => {
      const { grant, began } = (await tokenPage(issue(log, fact), deskFor(log))).from;
      return { grant, began };
    };
    expect(await grantOf(codeFact('tok_c'))).toEqual({ grant: 'authorization_code' });
    expect(await grantOf(refreshFact('tok_r1', { parentTokenId: 'tok_c' }))).toEqual({ grant: 'authorization_code' });
    const refreshed = { grant: 'refresh_token', began: 'authorization_code' };
    const byRefresh = { grant_type: 'refresh_token', began: 'authorization_code' };
    expect(await grantOf(tokenFact('tok_a2', { parentTokenId: 'tok_r1', ...byRefresh }))).toEqual(refreshed);
    expect(await grantOf(refreshFact('tok_r2', { parentTokenId: 'tok_r1', ...byRefresh }))).toEqual(refreshed);
    expect(await grantOf(tokenFact('tok_s', { grant_type: 'client_credentials' }))).toEqual({
      grant: 'client_credentials',
    });
  });

  it('has no claims and no checks for a code', async () => {
    const code = await page(codeFact('tok_code'));
    expect(code).toMatchObject({ title: 'Authorization code for alice', checks: [], claims: [], tools: [] });
    expect(code.from.redirectUri).toContain('/callback');
    expect(code.jwt).toBeUndefined();
    expect(code.copies.map(({ format }) => format)).toEqual(['token', 'markdown', 'postman']);
  });

  it('shows the claims that an opaque access token stands for', async () => {
    const claims = { iss: issuer, aud: 'frontend', roles: ['admin'] };
    const opaque = await page(tokenFact('tok_opaque', { format: 'opaque', token: 'x'.repeat(43), claims }));
    expect(opaque.jwt).toBeUndefined();
    expect(opaque.claims.map(({ name }) => name)).toEqual(['iss', 'aud', 'roles']);
    expect(opaque.checks[0]?.text).toContain('only introspection');
  });

  it('names the tokens issued with it, and the request', async () => {
    const log = createLog();
    log.append(requestFact(), 'req_7');
    issue(log, refreshFact('tok_r'), 'req_7');
    const { from } = await tokenPage(issue(log, tokenFact('tok_a'), 'req_7'), deskFor(log));
    expect(from).toMatchObject({ request: 'POST /oauth2/token', siblings: [{ tokenId: 'tok_r', type: 'refresh' }] });
  });

  it('shows its uses at this server', async () => {
    const log = createLog();
    const token = issue(log, tokenFact('tok_a'));
    const { authorizationId, client_id } = token;
    log.append({ type: 'token.used', endpoint: 'api', tokenId: 'tok_a', authorizationId, client_id }, 'req_2');
    log.append(requestFact({ endpoint: 'api', method: 'GET', path: '/api/products' }), 'req_2');
    const state = { state: 'active', about: 'tok_a', issuedTo: 'frontend' } as const;
    log.append({ type: 'token.introspected', client_id: 'sensor', ...state }, 'req_3');
    const { uses } = await tokenPage(token, deskFor(log));
    expect(uses.latest).toMatchObject([
      { requestId: 'req_3', outcome: 'introspected by sensor: active' },
      { requestId: 'req_2', words: 'GET /api/products', outcome: 'accepted', badge: { status: 200, look: '' } },
    ]);
  });
});

describe('curl', () => {
  const command = (fact: TokenIssued) => curlOf(issue(events, fact), options)?.command;

  it('reads a collection the scope opens', () => {
    expect(command(tokenFact('t'))).toMatch(
      /^curl -H 'Authorization: Bearer .*' 'http:\/\/localhost:9000\/api\/products'$/,
    );
  });

  it('writes where the scope allows only that', () => {
    expect(command(tokenFact('t', { scope: 'telemetry:write' }))).toContain(`-d '{"name":"o'\\''clock"}'`);
  });

  it.each([
    ['those that must be there', true, { sensor: 'sensor', value: 1, count: 1, ok: true }],
    ['all, where none must', false, { sensor: 'sensor', value: 1, count: 1, ok: true, note: 'note' }],
  ])('makes a body the collection takes of its fields where there is no row: %s', (_, required, expected) => {
    const fields = {
      sensor: { type: 'string', required },
      value: { type: 'number', required },
      count: { type: 'integer', required },
      ok: { type: 'boolean', required },
      note: { type: 'string', required: false },
    } as const;
    const collections = [{ name: 'telemetry', writeScope: 'telemetry:write', fields, seed: [] }];
    const event = issue(events, tokenFact('t', { scope: 'telemetry:write' }));
    const body = /-d '(.*?)' /.exec(curlOf(event, optionsFor(events, { collections }))?.command ?? '')?.[1] ?? '';
    expect(JSON.parse(body)).toEqual(expected);
    expect(() => parseResource(createSchema(fields), JSON.parse(body))).not.toThrow();
  });

  it('asks UserInfo where only openid was granted', () => {
    expect(command(tokenFact('t', { scope: 'openid' }))).toContain(`'${issuer}/userinfo'`);
  });

  it('shows the refusal where nothing was granted', () => {
    expect(curlOf(issue(events, tokenFact('t', { scope: 'profile' })), options)?.words).toContain('refused');
  });

  it('refreshes, and leaves the secret of a confidential client to its owner', () => {
    expect(command(refreshFact('t'))).toContain(
      "-d 'client_id=frontend' -d grant_type=refresh_token -d 'refresh_token=raw-t'",
    );
    expect(command(refreshFact('t', { client_id: 'sensor' }))).toContain("-u 'sensor:<client_secret>'");
  });

  it('quotes whatever comes', () => {
    expect(sh(`a'; rm -rf / #`)).toBe(`'a'\\''; rm -rf / #'`);
    expect(command(refreshFact('t', { token: `x';$(id)` }))).toContain(`refresh_token=x'\\''%3B%24(id)'`);
  });
});

describe('a JWT is taken apart', () => {
  it.each(['', '.', '..', 'a.b', 'a.b.c', 'bnVsbA.bnVsbA.', 'W10.W10.x', hostile, `${jwt({})}.`])(
    'not when it is %j',
    token => {
      expect(decodeJwt(token)).toBeUndefined();
    },
  );

  it('with a claim named __proto__', () => {
    const decoded = decodeJwt(
      `${Buffer.from('{}').toString('base64url')}.${Buffer.from('{"__proto__":{"a":1}}').toString('base64url')}.x`,
    );
    expect(Object.keys(decoded?.claims ?? {})).toEqual(['__proto__']);
  });
});
