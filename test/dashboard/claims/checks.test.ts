import { describe, expect, it } from 'vitest';
import type { TokenIssued } from '../../../src/base/events/event.ts';
import type { TokenCheck } from '../../../src/dashboard/claims/checks.ts';
import type { DashboardFacts } from '../../../src/dashboard/facts.ts';
import { tokenPage } from '../../../src/dashboard/tokens/token-page.ts';
import { tokenHash } from '../../../src/protocol/tokens/id-token.ts';
import { referenceUrl } from '../../../src/server/http/views.ts';
import { codeFact, createLog, deskFor, frontend, issue, issuer, jwt, now, tokenFact } from '../running-dashboard.ts';

const claims = {
  ...{ iss: issuer, aud: 'https://api.test', sub: 'alice', client_id: 'frontend' },
  ...{ exp: now + 300, iat: now, jti: 'auth-1.t' },
};

async function checksFor(fact: TokenIssued, more: Partial<DashboardFacts> = {}): Promise<readonly TokenCheck[]> {
  const events = createLog();
  return (await tokenPage(issue(events, fact), deskFor(events, more))).checks;
}

/** Level and text of the check that says so. */
async function found(words: string, fact: TokenIssued, more?: Partial<DashboardFacts>): Promise<string> {
  const check = (await checksFor(fact, more)).find(({ text }) => text.includes(words));
  return check === undefined ? `nothing says ${words}` : `${check.level}: ${check.text}`;
}

const access = (changes: object, header: object = {}, more: Partial<TokenIssued> = {}) =>
  tokenFact('tok_1', { token: jwt({ ...claims, ...changes }, header), ...more });
const id = (changes: object, header: object = {}, more: Partial<TokenIssued> = {}) =>
  access({ aud: 'frontend', azp: 'frontend', ...changes }, { typ: 'JWT', ...header }, { tokenType: 'id', ...more });

describe('the checks of an access token', () => {
  it('pass, where all is well', async () => {
    expect((await checksFor(access({}))).map(({ level }) => level)).not.toContain('fail');
    expect((await checksFor(access({}))).filter(({ level }) => level === 'pass')).toHaveLength(6);
  });

  it('each lead to the standard that says so', async () => {
    const checks = [...(await checksFor(access({ cnf: { jkt: 'a' } }))), ...(await checksFor(id({})))];
    for (const { reference } of checks) expect(URL.canParse(referenceUrl(reference) ?? '')).toBe(true);
  });

  it.each([
    ['another issuer', { iss: `${issuer}/` }, {}, 'iss is ', 'fail'],
    ['another type', {}, { typ: 'JWT' }, 'typ is "JWT"', 'fail'],
    ['no audience', { aud: undefined }, {}, 'no aud', 'fail'],
    [
      'the client as its own audience',
      { aud: 'frontend' },
      {},
      'The sample API accepts the client as audience (relaxed here)',
      'note',
    ],
    ['no jti', { jti: undefined }, {}, 'jti missing', 'note'],
    ['a time to come', { nbf: now + 60 }, {}, 'not valid yet, valid in 1 min', 'fail'],
    ['a rare algorithm', {}, { alg: 'Ed25519' }, 'alg Ed25519: not every library', 'note'],
    ['a key', { cnf: { jkt: 'a' } }, {}, 'bound to a key', 'pass'],
    ['a certificate', { cnf: { 'x5t#S256': 'a' } }, {}, 'bound to a client certificate', 'pass'],
    ['much to say', { more: 'x'.repeat(5000) }, {}, 'refuse headers longer than 8192', 'note'],
  ])('notice %s', async (_, changes, header, words, level) => {
    expect(await found(words, access(changes, header))).toMatch(new RegExp(`^${level}: `));
  });

  it('notice a signature that does not fit, and a time that is over', async () => {
    const forged = tokenFact('tok_1', { token: jwt({ ...claims, exp: now }, {}, 'AAAA'), exp: now });
    expect(await found('signature', forged)).toMatch(/^fail: signature not verified: /);
    expect(await found('expired', forged)).toBe('fail: expired 0 s ago');
  });

  it.each([
    ['signing', 'pass', 'the current signing key'],
    ['published', 'pass', 'still published'],
    ['withdrawn', 'warn', 'no longer published: an API that fetches the key set again refuses this token'],
  ] as const)('name the key, and link it: one that is %s', async (key, level, words) => {
    const verify = async () => ({ ok: true, kid: 'key 1', alg: 'RS256', key }) as const;
    const [first] = await checksFor(access({}), { verify });
    expect(first).toMatchObject({ level, link: { path: '/dashboard/keys#key%201' } });
    expect(first?.text).toContain(words);
  });

  it('say that no scope opens nothing', async () => {
    const { scope: _, ...fact } = access({});
    expect(await found('403', fact)).toMatch(/^note: no scope/);
  });

  it('find an hour long for a public client, and not for one with a secret', async () => {
    const hour = access({}, {}, { exp: now + 3600 });
    expect(await found('is long for a public client', hour)).toMatch(/^note: 1 h is long/);
    const registered = () => [{ ...frontend, token_endpoint_auth_methods: ['client_secret_basic'] as const }];
    expect(await found('is long for', hour, { registered })).toMatch(/^nothing says/);
  });

  it('say who takes its audience: the sample API, an API of the configuration, or neither', async () => {
    const judged = (fits: boolean, isConfigured: boolean) => {
      const api = { audience: [], tokenCheck: 'local', fits: () => fits, isConfigured: () => isConfigured } as const;
      return found('aud is', access({}), { api });
    };
    expect(await judged(true, false)).toBe('pass: aud is "https://api.test", which the sample API accepts');
    expect(await judged(false, true)).toBe(
      'pass: aud is "https://api.test", which an API of the configuration accepts',
    );
    expect(await judged(false, false)).toBe('note: aud is "https://api.test", which the sample API refuses');
  });

  it('say that one was ended before its time', async () => {
    const events = createLog();
    const event = issue(events, access({}));
    const { tokenId, authorizationId, client_id } = event;
    events.append({ type: 'token.ended', tokenId, authorizationId, client_id }, 'sandbox');
    const { checks } = await tokenPage(event, deskFor(events));
    expect(checks).toContainEqual(
      expect.objectContaining({ level: 'fail', text: expect.stringContaining('expired manually') }),
    );
    expect(checks.map(({ text }) => text).join()).not.toContain('not expired');
  });
});

describe('the checks of an opaque token', () => {
  const opaque = tokenFact('tok_1', { format: 'opaque', token: 'x'.repeat(43), claims });

  it('are about what it stands for', async () => {
    expect(await found('opaque', opaque)).toMatch(/^note: opaque: only introspection/);
    expect(await found('signature', opaque)).toMatch(/^nothing says/);
    expect(await found('not expired', opaque)).toMatch(/^pass: /);
  });

  it('say that the sample API refuses it, unless it asks', async () => {
    expect(await found('refuses it: it verifies only JWTs', opaque)).toMatch(/^note: /);
    const api = { audience: [], tokenCheck: 'introspection', fits: () => true, isConfigured: () => false } as const;
    expect(await found('the sample API', opaque, { api })).toBe(
      'pass: aud is "https://api.test", which the sample API accepts',
    );
  });
});

describe('the checks of an ID token', () => {
  it.each([
    ['its nonce', id({ nonce: 'n' }), 'nonce present', 'pass'],
    ['no nonce', id({}), 'no nonce', 'note'],
    [
      'an audience that is not the client',
      id({ aud: ['other'] }),
      'aud is ["other"], which the client frontend refuses',
      'fail',
    ],
    ['an azp that is not the client', id({ azp: 'other' }), 'azp is "other"', 'fail'],
    ['the type of an access token', id({}, { typ: 'at+jwt' }), 'could pass as an access token', 'fail'],
    ['an algorithm the client is not registered for', id({}, { alg: 'ES256' }), 'is registered for RS256', 'fail'],
    [
      'that it is encrypted',
      id({}, {}, { token: 'a.b.c.d.e', signed: jwt(claims) }),
      'encrypted for the client',
      'note',
    ],
  ])('notice %s', async (_, fact, words, level) => {
    expect(await found(words, fact)).toMatch(new RegExp(`^${level}: `));
  });

  it('compare its hashes with what came beside it (OIDC Core §3.1.3.6, §3.3.2.11)', async () => {
    const events = createLog();
    const beside = issue(events, tokenFact('tok_access'));
    const code = issue(events, codeFact('tok_code'));
    const hashes = { at_hash: tokenHash(beside.token, 'RS256'), c_hash: tokenHash(code.token, 'RS256') };
    const good = await tokenPage(issue(events, id(hashes)), deskFor(events));
    expect(good.checks.filter(({ text }) => text.includes('_hash matches')).map(({ level }) => level)).toEqual([
      'pass',
      'pass',
    ]);
    const bad = await tokenPage(issue(events, id({ at_hash: 'other' })), deskFor(events));
    expect(bad.checks).toContainEqual(
      expect.objectContaining({ level: 'fail', text: expect.stringContaining('at_hash does not match') }),
    );
  });
});
