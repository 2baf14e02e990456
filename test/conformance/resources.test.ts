import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/index.ts';
import { get } from '../support/wire.ts';
import { checkTokenError, checkTokenResponse, type Json } from './checks.ts';
import { callback, configured, type Op, type Party, startOp } from './party.ts';

const config: SandboxConfig = {
  collections: {
    products: { readScope: 'products:read', writeScope: 'products:write', fields: { name: 'string' } },
    payments: {
      readScope: 'products:read',
      readAcrValues: ['urn:gold', 'urn:silver'],
      readMaxAge: 60,
      fields: { name: 'string' },
    },
  },
  scopes: { 'products:read': 'read products', 'products:write': 'change products' },
  clients: [
    {
      client_id: 'app',
      client_secret: 'a secret of more than 32 characters, to be sure',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [callback],
      scope: 'openid products:read products:write',
    },
  ],
};

let op: Op;
let party: Party;
beforeAll(async () => {
  op = await startOp(config);
  party = configured(op, config, 'app');
});
afterAll(() => op[Symbol.asyncDispose]());

const scope = 'openid products:read';
const at = (collection: string) => `${op.metadata.issuer}/api/${collection}`;
const call = (collection: string, token?: string) =>
  get(at(collection), token === undefined ? {} : { authorization: `Bearer ${token}` });

describe('RFC 8707, RI-01: resource', () => {
  it('is the audience of the token', async () => {
    const { access_token } = await party.redeem(await party.authorize({ scope, resource: at('products') }));
    expect(decodeJwt(access_token).aud).toBe(at('products'));
    expect((await call('products', access_token)).status).toBe(200);
  });

  it('makes a token that is good at no other resource', async () => {
    const { access_token } = await party.redeem(
      await party.authorize({ scope, resource: 'https://elsewhere.example/' }),
    );
    expect((await call('products', access_token)).status).toBe(401);
  });

  it.each(['products', '/api/products', 'https://api.example/#fragment', 'https://api.example#'])(
    'is refused where it is %s',
    async resource => {
      const { parameters } = await party.authorize({ scope, resource });
      expect(parameters.get('error')).toBe('invalid_target');
    },
  );

  it('is refused at the token endpoint where it was not asked for before', async () => {
    const answer = await party.authorize({ scope, resource: at('products') });
    const code = answer.parameters.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: callback };
    expect(await checkTokenError(await party.ask({ ...form, resource: at('payments') }))).toBe('invalid_target');
    expect(await checkTokenError(await party.ask({ ...form, resource: 'no URI' }))).toBe('invalid_target');
  });

  it('narrows at the token endpoint and at a refresh', async () => {
    const { url, query } = party.request({ scope });
    for (const collection of ['products', 'payments']) url.searchParams.append('resource', at(collection));
    const tokens = await party.redeem(await party.follow(url, query), { resource: at('payments') });
    expect(decodeJwt(tokens.access_token).aud).toBe(at('payments'));
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '', resource: at('products') };
    const refreshed = await checkTokenResponse(await party.ask(form));
    expect(decodeJwt(refreshed.access_token).aud).toBe(at('products'));
  });
});

describe('RFC 9728, PRM-01: metadata of a protected resource', () => {
  it.each(['', '/api', '/api/products', '/api/payments', '/userinfo'])(
    'at "%s" names the resource and its issuer',
    async path => {
      const { issuer } = op.metadata;
      const response = await get(`${issuer}/.well-known/oauth-protected-resource${path}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      const document = (await response.json()) as Json;
      expect(document).toMatchObject({ resource: issuer + path, authorization_servers: [issuer] });
      expect(document.bearer_methods_supported).toEqual(['header']);
    },
  );

  it('is not there for what is no resource', async () => {
    const response = await get(`${op.metadata.issuer}/.well-known/oauth-protected-resource/api/nothing`);
    expect(response.status).toBe(404);
  });
});

describe('RFC 9728, PRM-02: the challenge', () => {
  it.each(['products', 'payments'])('of %s leads to its metadata', async collection => {
    const response = await call(collection);
    expect(response.status).toBe(401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    const address = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
    expect(((await (await get(address)).json()) as Json).resource).toBe(at(collection));
  });
});

describe('RFC 9470, SU-01: step-up', () => {
  const challengeOf = async (token: string) => {
    const response = await call('payments', token);
    return { status: response.status, challenge: response.headers.get('www-authenticate') ?? '' };
  };

  it('is asked for by 401 insufficient_user_authentication with acr_values and max_age', async () => {
    const { access_token } = await party.redeem(await party.authorize({ scope }));
    const { status, challenge } = await challengeOf(access_token);
    expect(status).toBe(401);
    expect(challenge).toMatch(/^Bearer /);
    expect(challenge).toContain('error="insufficient_user_authentication"');
    expect(challenge).toContain('acr_values="urn:gold urn:silver"');
    expect(challenge).toContain('max_age="60"');
  });

  it('is answered by the authorization server, and the token shows acr and auth_time', async () => {
    const parameters = { scope, acr_values: 'urn:gold urn:silver', max_age: '60' };
    const { access_token } = await party.redeem(await party.authorize(parameters));
    const claims = decodeJwt(access_token);
    expect(claims).toMatchObject({ acr: 'urn:gold', auth_time: op.now() });
    expect((await call('payments', access_token)).status).toBe(200);
  });

  it('wants a fresh login where the one before is too old, and takes it', async () => {
    const parameters = { scope, acr_values: 'urn:gold', max_age: '60' };
    const first = await party.authorize(parameters);
    const tokens = await party.redeem(first);
    op.pass(61);
    expect((await challengeOf(tokens.access_token)).challenge).toContain('error="insufficient_user_authentication"');
    const again = await party.authorize(parameters, { agent: first.agent });
    expect(again.page?.html).toContain('login-user-alice');
    const { access_token } = await party.redeem(again);
    expect(decodeJwt(access_token).auth_time).toBe(op.now());
    expect((await call('payments', access_token)).status).toBe(200);
  });

  it('leaves other resources alone', async () => {
    const { access_token } = await party.redeem(await party.authorize({ scope }));
    expect((await call('products', access_token)).status).toBe(200);
  });
});
