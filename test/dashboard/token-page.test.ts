import { describe, expect, it } from 'vitest';
import { curlOf, quote } from '../../src/dashboard/curl.ts';
import { decodeJwt } from '../../src/dashboard/jwt.ts';
import { lineageOf } from '../../src/dashboard/lineage.ts';
import { tokenPage } from '../../src/dashboard/token-page.ts';
import type { CodeIssued, TokenIssued } from '../../src/events/event.ts';
import type { IssuedEvent } from '../../src/events/event-log.ts';
import { createSchema, parseResource } from '../../src/resources/resource-schema.ts';
import {
  codeFact,
  createLog,
  frontend,
  hostile,
  issue,
  issuer,
  jwt,
  now,
  optionsFor,
  refreshFact,
  tokenFact,
} from './running-dashboard.ts';

const events = createLog();
const options = optionsFor(events);
const page = (fact: TokenIssued | CodeIssued) => tokenPage(issue(events, fact), options);
const claimsOf = async (claims: object, more: Partial<TokenIssued> = {}) =>
  (await page(tokenFact('tok_claims', { token: jwt(claims), ...more }))).jwt?.claims ?? [];

describe('the page of a token', () => {
  it('says what it is, for whom, and whether it is good', async () => {
    expect(await page(tokenFact('tok_1'))).toMatchObject({
      title: 'Access token for alice',
      status: 'valid',
      leftWords: '5 min left',
      lifetimeWords: '5 min',
      clientName: 'Demo front end',
      userName: 'Alice Anders',
      requestId: 'req_1',
      expires: { absolute: '2023-11-14 22:18:20 UTC' },
    });
  });

  it('knows a client that registered itself', async () => {
    const stranger = { ...frontend, client_id: 'stranger', client_name: 'Stranger', origin: 'registration' } as const;
    const fact = tokenFact('tok_1', { client_id: 'stranger' });
    const known = optionsFor(events, { registered: () => [frontend, stranger] });
    expect((await tokenPage(issue(events, fact), known)).clientName).toBe('Stranger');
  });

  it('names the client where there is no user', async () => {
    const { sub: _, ...fact } = tokenFact('tok_1', { client_id: 'sensor' });
    expect((await page(fact)).title).toBe('Access token for client sensor');
  });

  it('explains each claim and says which record set it', async () => {
    const claims = await claimsOf({ iss: issuer, exp: now + 60, roles: ['admin'], tenant: 'blue', other: { a: 1 } });
    expect(claims).toMatchObject([
      { name: 'iss', value: issuer, reference: 'RFC 7519 §4.1.1', setBy: '' },
      { name: 'exp', value: String(now + 60), moment: { relative: 'in 1 min' } },
      { name: 'roles', value: '["admin"]', setBy: 'user alice' },
      { name: 'tenant', value: 'blue', setBy: 'client frontend', reference: '' },
      { name: 'other', value: '{"a":1}', setBy: '' },
    ]);
  });

  it('shows times nobody can mean', async () => {
    const claims = await claimsOf({ exp: 1e300, iat: -1e300, auth_time: 'yesterday', nbf: null });
    expect(claims.map(({ value }) => value)).toEqual(['1e+300', '-1e+300', 'yesterday', 'null']);
  });

  it('says by which grant it came: a refresh, where its parent is a refresh token', async () => {
    const log = createLog();
    const grantOf = async (fact: TokenIssued | CodeIssued) => {
      const { grant, began } = await tokenPage(issue(log, fact), optionsFor(log));
      return { grant, began };
    };
    expect(await grantOf(codeFact('tok_c'))).toEqual({ grant: 'authorization_code' });
    expect(await grantOf(refreshFact('tok_r1', { parentTokenId: 'tok_c' }))).toEqual({ grant: 'authorization_code' });
    const refreshed = { grant: 'refresh_token', began: 'authorization_code' };
    expect(await grantOf(tokenFact('tok_a2', { parentTokenId: 'tok_r1' }))).toEqual(refreshed);
    expect(await grantOf(refreshFact('tok_r2', { parentTokenId: 'tok_r1' }))).toEqual(refreshed);
    expect(await grantOf(tokenFact('tok_s', { grant_type: 'client_credentials' }))).toEqual({
      grant: 'client_credentials',
    });
  });

  it('has no claims, no checks and no curl for a code', async () => {
    const code = await page(codeFact('tok_code'));
    expect(code).toMatchObject({ title: 'Authorization code for alice', checks: [] });
    expect(code.redirectUri).toContain('/callback');
    expect(code.jwt).toBeUndefined();
    expect(code.curl).toBeUndefined();
  });

  it('has no claims for an opaque access token', async () => {
    const opaque = await page(tokenFact('tok_opaque', { format: 'opaque', token: 'x'.repeat(43) }));
    expect(opaque.jwt).toBeUndefined();
    expect(opaque.curl?.command).toContain('x'.repeat(43));
  });
});

describe('the checks of a token', () => {
  const levels = async (fact: TokenIssued) =>
    Object.fromEntries((await page(fact)).checks.map(({ level, text }) => [text.split(/[ ,:]/)[0], level]));
  const good = { iss: issuer, aud: 'https://api.test', client_id: 'frontend' };

  it.each([
    ['all is well', tokenFact('t', { token: jwt(good) }), { signature: 'pass', typ: 'pass', iss: 'pass', aud: 'pass' }],
    ['the client is its own audience', tokenFact('t', { token: jwt({ ...good, aud: 'frontend' }) }), { aud: 'note' }],
    ['no audience', tokenFact('t', { token: jwt({ iss: issuer }) }), { no: 'fail' }],
    ['another issuer', tokenFact('t', { token: jwt({ ...good, iss: `${issuer}/` }) }), { iss: 'fail' }],
    ['another type', tokenFact('t', { token: jwt(good, { typ: 'JWT' }) }), { typ: 'fail' }],
    ['another signature', tokenFact('t', { token: jwt(good, {}, 'AAAA') }), { signature: 'fail' }],
    ['its time is over', tokenFact('t', { token: jwt(good), exp: now }), { expired: 'fail' }],
  ])('%s', async (_, fact, expected) => {
    expect(await levels(fact)).toMatchObject(expected);
  });

  it('has its own for an ID Token', async () => {
    const id = (claims: object) => tokenFact('t', { tokenType: 'id', token: jwt({ ...good, ...claims }) });
    expect(await levels(id({ aud: 'frontend', nonce: 'n' }))).toMatchObject({ aud: 'pass', nonce: 'pass' });
    expect(await levels(id({ aud: ['other'] }))).toMatchObject({ aud: 'fail', no: 'note' });
  });

  it('says that no scope opens nothing', async () => {
    const { scope: _, ...fact } = tokenFact('t', { token: jwt(good) });
    expect((await page(fact)).checks.at(-1)?.text).toContain('403');
  });
});

describe('the lineage', () => {
  it('goes from the code over each refresh', () => {
    const log = createLog();
    issue(log, codeFact('tok_c'));
    issue(log, tokenFact('tok_a1', { parentTokenId: 'tok_c' }));
    const refresh = issue(log, refreshFact('tok_r1', { parentTokenId: 'tok_c' }));
    issue(log, tokenFact('tok_a2', { parentTokenId: 'tok_r1' }));
    issue(log, refreshFact('tok_r2', { parentTokenId: 'tok_r1' }));
    issue(log, tokenFact('tok_other', { authorizationId: 'auth-2' }));
    const { steps, omitted } = lineageOf(log, refresh, now);
    expect(
      steps.map(({ words, tokens }) => [words, ...tokens.map(({ tokenId, status }) => `${tokenId} ${status}`)]),
    ).toEqual([
      ['Login gave', 'tok_c used'],
      ['Code gave', 'tok_a1 valid', 'tok_r1 replaced'],
      ['Refresh gave', 'tok_a2 valid', 'tok_r2 valid'],
    ]);
    expect(steps.flatMap(({ tokens }) => tokens.filter(({ current }) => current))).toHaveLength(1);
    expect(omitted).toBe(0);
  });

  it('names the grant where a client acts for itself', () => {
    const log = createLog();
    const token = issue(log, tokenFact('tok_1', { grant_type: 'client_credentials' }));
    expect(lineageOf(log, token, now).steps[0]?.words).toBe('client_credentials gave');
  });

  it.each([0, 1, 50, 98, 99])('shows a window of a long one, with step %s in it', current => {
    const log = createLog();
    issue(log, codeFact('tok_r-1'));
    const all = Array.from({ length: 100 }, (_, index) =>
      issue(log, refreshFact(`tok_r${index}`, { parentTokenId: `tok_r${index - 1}` })),
    );
    const { steps, omitted } = lineageOf(log, all[current] as IssuedEvent, now);
    expect(steps.length + omitted).toBe(101);
    expect(steps.length).toBeLessThanOrEqual(8);
    expect(steps[0]?.words).toBe('Login gave');
    expect(steps.flatMap(({ tokens }) => tokens).some(each => each.current)).toBe(true);
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
    expect(quote(`a'; rm -rf / #`)).toBe(`'a'\\''; rm -rf / #'`);
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
