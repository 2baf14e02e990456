import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/index.ts';
import { post } from '../support/wire.ts';
import { checkTokenError, checkTokenResponse, type Json } from './checks.ts';
import { callback, configured, type Op, type Party, register, sendRegistration, startOp } from './party.ts';

const config: SandboxConfig = {
  authorizationDetailsTypes: {
    payment_initiation: {
      fields: { instructedAmount: 'object', creditorName: 'string', memo: { type: 'string', required: false } },
    },
    account_information: {},
  },
  clients: [
    {
      client_id: 'bank-app',
      client_secret: 'a secret of more than 32 characters, to be sure',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      redirect_uris: [callback],
      scope: 'openid',
      authorization_details_types: ['payment_initiation', 'account_information'],
    },
    {
      client_id: 'reader',
      client_secret: 'a secret of more than 32 characters, to be sure',
      redirect_uris: [callback],
      scope: 'openid',
      authorization_details_types: ['account_information'],
    },
  ],
};

let op: Op;
let party: Party;
beforeAll(async () => {
  op = await startOp(config);
  party = configured(op, config, 'bank-app');
});
afterAll(() => op[Symbol.asyncDispose]());

const payment = {
  type: 'payment_initiation',
  instructedAmount: { currency: 'EUR', amount: '123.50' },
  creditorName: 'Merchant A',
  actions: ['initiate', 'status'],
};
const account = { type: 'account_information', actions: ['list_accounts', 'read_balances'] };
const asked = (...details: unknown[]) => ({ authorization_details: JSON.stringify(details) });

async function errorOf(authorization_details: string, client_id = 'bank-app'): Promise<string | null> {
  const { parameters } = await configured(op, config, client_id).authorize({ authorization_details });
  return parameters.get('error');
}

async function introspected(token: string): Promise<Json> {
  const authorization = `Basic ${btoa(`bank-app:${encodeURIComponent(config.clients?.[0]?.client_secret ?? '')}`)}`;
  const response = await post(String(op.metadata.introspection_endpoint), { token }, { authorization });
  return (await response.json()) as Json;
}

describe('RFC 9396, RAR-01: authorization_details', () => {
  it('is a list of objects with a type, and the answer comes', async () => {
    expect((await party.authorize(asked(payment, account))).parameters.get('code')).toMatch(/./);
  });

  it.each<[string, string]>([
    ['that is no JSON', '[{'],
    ['that is no list', JSON.stringify(payment)],
    ['of no objects', '["payment_initiation"]'],
    ['without a type', '[{"actions":["list"]}]'],
    ['of an unknown type', '[{"type":"unknown"}]'],
    ['with an unknown field', JSON.stringify([{ ...payment, amount: 1 }])],
    ['with a field of another form', JSON.stringify([{ ...payment, creditorName: 1 }])],
    ['without a field that must be there', JSON.stringify([{ ...payment, creditorName: undefined }])],
    ['with actions that are no list', JSON.stringify([{ ...account, actions: 'list' }])],
  ])('is refused where it is one %s', async (_, text) => {
    expect(await errorOf(text)).toBe('invalid_authorization_details');
  });

  it('is refused at the token endpoint with the same code', async () => {
    const response = await party.ask({ grant_type: 'client_credentials', ...asked({ type: 'unknown' }) });
    expect(await checkTokenError(response)).toBe('invalid_authorization_details');
  });
});

describe('RFC 9396, RAR-02: what was granted', () => {
  it('is in the token response, in the access token and in introspection', async () => {
    const answer = await party.authorize(asked(payment, account));
    const tokens = await party.redeem(answer);
    expect(tokens.authorization_details).toEqual([payment, account]);
    expect(decodeJwt(tokens.access_token).authorization_details).toEqual([payment, account]);
    expect(await introspected(tokens.access_token)).toMatchObject({ authorization_details: [payment, account] });
  });

  it('comes back at a refresh', async () => {
    const { refresh_token = '' } = await party.redeem(await party.authorize(asked(account)));
    const response = await party.ask({ grant_type: 'refresh_token', refresh_token });
    expect((await checkTokenResponse(response)).authorization_details).toEqual([account]);
  });

  it('is what a service asked for, by client_credentials', async () => {
    const tokens = await checkTokenResponse(await party.ask({ grant_type: 'client_credentials', ...asked(account) }));
    expect(tokens.authorization_details).toEqual([account]);
  });

  it('is nowhere, where none was asked for', async () => {
    const tokens = await party.redeem(await party.authorize());
    expect(tokens).not.toHaveProperty('authorization_details');
    expect(decodeJwt(tokens.access_token)).not.toHaveProperty('authorization_details');
  });
});

describe('RFC 9396, RAR-03: types', () => {
  it('are in metadata', () => {
    expect(op.metadata.authorization_details_types_supported).toEqual(['payment_initiation', 'account_information']);
  });

  it('are those the client is registered for', async () => {
    expect(await errorOf(JSON.stringify([payment]), 'reader')).toBe('invalid_authorization_details');
    expect(await errorOf(JSON.stringify([account]), 'reader')).toBe(null);
  });

  it('can be registered, as far as they are known', async () => {
    const { registration } = await register(op, { authorization_details_types: ['account_information'] });
    expect(registration.authorization_details_types).toEqual(['account_information']);
    const refused = await sendRegistration(op, { authorization_details_types: ['unknown'] });
    expect([refused.status, ((await refused.json()) as Json).error]).toEqual([400, 'invalid_client_metadata']);
  });

  it.each<[string, SandboxConfig]>([
    ['none is configured', { authorizationDetailsTypes: {} }],
    ['the feature is off', { features: { rar: false } }],
  ])('are not in metadata where %s', async (_, changes) => {
    await using plain = await startOp(changes);
    expect(plain.metadata).not.toHaveProperty('authorization_details_types_supported');
  });
});

describe('RFC 9396, RAR-04: a token request asks for less', () => {
  it.each([
    ['for one of two', [payment, account], [account]],
    ['for fewer actions', [account], [{ ...account, actions: ['read_balances'] }]],
  ])('and gets it: %s', async (_, granted, narrower) => {
    const answer = await party.authorize(asked(...granted));
    const tokens = await party.redeem(answer, asked(...narrower));
    expect(tokens.authorization_details).toEqual(narrower);
    expect(decodeJwt(tokens.access_token).authorization_details).toEqual(narrower);
  });

  it.each([
    ['another type', payment],
    ['another action', { ...account, actions: ['delete'] }],
    ['all actions, by leaving the list out', { type: 'account_information' }],
  ])('and never for more: %s', async (_, more) => {
    const answer = await party.authorize(asked(account));
    const code = answer.parameters.get('code') ?? '';
    const redemption = { grant_type: 'authorization_code', code, redirect_uri: callback };
    expect(await checkTokenError(await party.ask({ ...redemption, ...asked(more) }))).toBe(
      'invalid_authorization_details',
    );
  });

  it('at a refresh as well, and the grant stays whole', async () => {
    const { refresh_token = '' } = await party.redeem(await party.authorize(asked(payment, account)));
    const less = await checkTokenResponse(
      await party.ask({ grant_type: 'refresh_token', refresh_token, ...asked(account) }),
    );
    expect(less.authorization_details).toEqual([account]);
    const whole = await checkTokenResponse(
      await party.ask({ grant_type: 'refresh_token', refresh_token: less.refresh_token ?? '' }),
    );
    expect(whole.authorization_details).toEqual([payment, account]);
  });
});
