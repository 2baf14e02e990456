import { describe, expect, it } from 'vitest';
import type { CodeIssued, TokenIssued } from '../../../src/base/events/event.ts';
import { claimsOf } from '../../../src/dashboard/claims/claim-values.ts';
import type { DashboardFacts } from '../../../src/dashboard/facts.ts';
import { tokenUses, type UseName } from '../../../src/dashboard/tokens/token-use.ts';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import type { SelfRequest } from '../../../src/sandbox/self-request.ts';
import {
  codeFact,
  createLog,
  frontend,
  issue,
  jwt,
  optionsFor,
  refreshFact,
  sensor,
  tokenFact,
} from '../running-dashboard.ts';

const endpoints = [
  { name: 'token', method: 'POST', path: '/oauth2/token' },
  { name: 'userinfo', method: 'GET, POST', path: '/userinfo' },
  { name: 'introspect', method: 'POST', path: '/oauth2/introspect' },
];

function usesOf(fact: TokenIssued | CodeIssued, more: Partial<DashboardFacts> = {}) {
  const events = createLog();
  const event = issue(events, fact);
  return tokenUses(event, claimsOf(event), optionsFor(events, { endpoints, ...more }));
}

function requestOf(what: UseName, fact: TokenIssued, more?: Partial<DashboardFacts>): SelfRequest | undefined {
  return usesOf(fact, more).find(use => use.what === what)?.request;
}

function wordsOf(what: UseName, fact: TokenIssued, more?: Partial<DashboardFacts>): string {
  const use = usesOf(fact, more).find(each => each.what === what);
  return `${use?.request === undefined ? 'not from here: ' : ''}${use?.words}`;
}

const clients = (...all: RegisteredClient[]) => ({ registered: () => all });
const shop: RegisteredClient = {
  ...frontend,
  client_id: 'shop & co',
  client_secret: 'a secret: with + and ü',
  token_endpoint_auth_methods: ['client_secret_basic'],
};
const poster: RegisteredClient = { ...shop, client_id: 'poster', token_endpoint_auth_methods: ['client_secret_post'] };
const keyed: RegisteredClient = { ...frontend, client_id: 'keyed', token_endpoint_auth_methods: ['private_key_jwt'] };

describe('an access token is used', () => {
  it('at the collection its scope opens, by the method it opens it for', () => {
    expect(requestOf('api', tokenFact('t'))).toMatchObject({ method: 'GET', path: '/api/products' });
    expect(requestOf('api', tokenFact('t', { scope: 'telemetry:write' }))).toEqual({
      method: 'POST',
      path: '/api/telemetry',
      headers: {
        Authorization: `Bearer ${tokenFact('t').token}`,
        Accept: 'application/json',
        'Content-Type': 'application/json',
      },
      body: `{"name":"o'clock"}`,
    });
  });

  it('at a collection that refuses it, where its scope opens none', () => {
    expect(wordsOf('api', tokenFact('t', { scope: 'profile' }))).toContain('is refused by products');
  });

  it('under the path of the issuer', () => {
    expect(requestOf('api', tokenFact('t'), { base: '/tenant' })?.path).toBe('/tenant/api/products');
  });

  it('at UserInfo with the scope openid only', () => {
    expect(requestOf('userinfo', tokenFact('t'))).toMatchObject({ method: 'GET', path: '/userinfo' });
    expect(wordsOf('userinfo', tokenFact('t', { scope: 'profile' }))).toMatch(
      /^not from here: UserInfo requires the scope/,
    );
  });

  it('is not used where it is bound to a key or a certificate, and says why', () => {
    const bound = (cnf: object) => tokenFact('t', { token: jwt({ cnf }) });
    for (const what of ['api', 'userinfo'] as const) {
      expect(wordsOf(what, bound({ jkt: 'a' }))).toMatch(/^not from here: This token is bound to a key by DPoP/);
      expect(wordsOf(what, bound({ 'x5t#S256': 'a' }))).toMatch(
        /^not from here: This token is bound to a client certificate/,
      );
    }
    expect(requestOf('introspect', bound({ jkt: 'a' }))).toBeDefined();
  });
});

describe('introspection is asked', () => {
  const asked = (request: SelfRequest | undefined) => [request?.headers.Authorization, request?.body];

  it('by the client itself, where it has a secret', () => {
    const fact = tokenFact('t', { client_id: shop.client_id });
    const basic = Buffer.from('shop+%26+co:a+secret%3A+with+%2B+and+%C3%BC').toString('base64');
    expect(asked(requestOf('introspect', fact, clients(sensor, shop)))[0]).toBe(`Basic ${basic}`);
  });

  it('with the secret in the form, where that is how the client is registered', () => {
    const [authorization, body = ''] = asked(
      requestOf('introspect', tokenFact('t', { client_id: 'poster' }), clients(poster)),
    );
    expect(authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      client_id: 'poster',
      client_secret: poster.client_secret,
      token_type_hint: 'access_token',
    });
  });

  it('by any other that has one, about the access token of a public client', () => {
    expect(wordsOf('introspect', tokenFact('t'))).toContain('as sensor');
  });

  it('by nobody, where no secret is known here', () => {
    expect(wordsOf('introspect', tokenFact('t'), clients(frontend, keyed))).toMatch(
      /^not from here: Introspection requires/,
    );
  });

  it('about a refresh token by its own client only', () => {
    expect(wordsOf('introspect', refreshFact('t'))).toMatch(/^not from here: Only the client of a refresh token/);
    expect(wordsOf('introspect', refreshFact('t', { client_id: 'poster' }), clients(poster))).toContain('as poster');
  });

  it('not at all where it is off', () => {
    expect(usesOf(tokenFact('t'), { endpoints: endpoints.slice(0, 2) }).map(({ what }) => what)).toEqual([
      'api',
      'userinfo',
    ]);
  });
});

describe('a refresh token is used', () => {
  it('as its client would, and says what that does to the one its client has', () => {
    expect(requestOf('refresh', refreshFact('t'))).toMatchObject({
      method: 'POST',
      path: '/oauth2/token',
      body: 'grant_type=refresh_token&refresh_token=raw-t&client_id=frontend',
    });
    expect(wordsOf('refresh', refreshFact('t'))).toContain('all tokens from this sign-in are revoked');
    const steady = clients({ ...frontend, refresh_token_rotation: false });
    expect(wordsOf('refresh', refreshFact('t'), steady)).not.toContain('revoked');
  });

  it('with the secret of a confidential client', () => {
    const request = requestOf('refresh', refreshFact('t', { client_id: shop.client_id }), clients(shop));
    expect(request?.headers.Authorization).toMatch(/^Basic /);
    expect(request?.body).not.toContain('client_id');
  });

  it.each([
    ['its client is gone', 'nobody', [], 'no longer registered'],
    ['its client proves itself by a key', 'keyed', [keyed], 'with a private key or a certificate'],
    ['its client must prove a key', 'frontend', [{ ...frontend, dpop_bound_access_tokens: true }], 'bound to a key'],
  ])('not where %s', (_, client_id, registered, words) => {
    expect(wordsOf('refresh', refreshFact('t', { client_id }), clients(...registered))).toContain(words);
    expect(requestOf('refresh', refreshFact('t', { client_id }), clients(...registered))).toBeUndefined();
  });

  it('not where it came with a bound access token of a public client (RFC 9449 §5)', () => {
    const events = createLog();
    issue(events, tokenFact('tok_a', { token: jwt({ cnf: { jkt: 'a' } }) }));
    const event = issue(events, refreshFact('tok_r'));
    const [use] = tokenUses(event, {}, optionsFor(events, { endpoints }));
    expect(use?.request).toBeUndefined();
    expect(use?.words).toContain('bound to a key');
  });
});

it.each([codeFact('t'), tokenFact('t', { tokenType: 'id' })])(
  'nothing can be done with a code or an ID token',
  fact => {
    expect(usesOf(fact)).toEqual([]);
  },
);
