import { describe, expect, it } from 'vitest';
import type { AuthorizationDetail, AuthorizationDetailsType } from '../../../src/protocol/authorization.ts';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import { OAuthError } from '../../../src/protocol/errors.ts';
import {
  narrowAuthorizationDetails,
  parseAuthorizationDetails,
} from '../../../src/protocol/requests/authorization-details-parameter.ts';
import { createTestServer, frontend } from '../../support/server.ts';

const payment: AuthorizationDetailsType = {
  name: 'payment_initiation',
  description: 'pay from your account',
  fields: {
    instructedAmount: { type: 'object', required: true },
    creditorName: { type: 'string', required: true },
    urgent: { type: 'boolean', required: false },
    parts: { type: 'number', required: false },
    remittance: { type: 'array', required: false },
  },
};
const account: AuthorizationDetailsType = { name: 'account_information', description: 'see accounts', fields: {} };
const { server } = createTestServer({
  authorizationDetailsTypes: new Map([payment, account].map(type => [type.name, type])),
});

const good = {
  type: 'payment_initiation',
  instructedAmount: { currency: 'EUR', amount: '1.00' },
  creditorName: 'Shop',
};

function attempt(details: unknown, client: RegisteredClient = frontend) {
  const text = typeof details === 'string' ? details : JSON.stringify(details);
  try {
    return parseAuthorizationDetails(server, client, text);
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
}

describe('authorization_details (RFC 9396)', () => {
  it('is a list of objects, each of a known type with the fields of that type (§2)', () => {
    const details = [
      { ...good, urgent: true, parts: 2, remittance: [{ a: 1 }], locations: ['https://bank.example/'] },
      {
        type: 'account_information',
        actions: ['list_accounts'],
        datatypes: ['iban'],
        privileges: ['admin'],
        identifier: '7',
      },
    ];
    expect(attempt(details)).toEqual(details);
  });

  it.each<[string, unknown, string]>([
    ['what is no JSON', '[{', 'authorization_details_malformed'],
    ['an object', good, 'authorization_details_malformed'],
    ['an empty list', [], 'authorization_details_malformed'],
    ['more than anybody reads', Array.from({ length: 21 }, () => good), 'authorization_details_malformed'],
    ['a text in the list', ['payment_initiation'], 'authorization_details_malformed'],
    ['null in the list', [null], 'authorization_details_malformed'],
    ['no type', [{ creditorName: 'Shop' }], 'authorization_details_malformed'],
    ['a type that is no text', [{ ...good, type: 1 }], 'authorization_details_malformed'],
    ['an unknown type', [{ type: 'customer_information' }], 'authorization_details_type_unknown'],
    ['a type of JavaScript', [{ type: '__proto__' }], 'authorization_details_type_unknown'],
    ['an unknown field', [{ ...good, creditor: 'Shop' }], 'authorization_details_malformed'],
    ['a field of JavaScript', `[{"type": "account_information", "__proto__": 1}]`, 'authorization_details_malformed'],
    ['a missing field', [{ type: 'payment_initiation', creditorName: 'Shop' }], 'authorization_details_malformed'],
    ['a field of another type', [{ ...good, creditorName: 7 }], 'authorization_details_malformed'],
    ['null as a field', [{ ...good, instructedAmount: null }], 'authorization_details_malformed'],
    ['a list as an object', [{ ...good, instructedAmount: [] }], 'authorization_details_malformed'],
    [
      'locations that are no list',
      [{ ...good, locations: 'https://bank.example/' }],
      'authorization_details_malformed',
    ],
    ['actions that are no texts', [{ type: 'account_information', actions: [1] }], 'authorization_details_malformed'],
    ['one bad one among good ones', [good, { type: 'nothing' }], 'authorization_details_type_unknown'],
  ])('refuses %s (§5)', (_what, details, reason) => {
    expect(attempt(details)).toMatchObject({ code: 'invalid_authorization_details', reason });
  });

  it('names the known field that was probably meant', () => {
    expect(attempt([{ ...good, creditorname: 'x' }])).toMatchObject({
      details: { sent: 'creditorname', expected: 'creditorName' },
    });
  });

  it('is restricted by authorization_details_types of the client (§10)', () => {
    const client = { ...frontend, authorization_details_types: ['account_information'] };
    expect(attempt([{ type: 'account_information' }], client)).toHaveLength(1);
    expect(attempt([good], client)).toMatchObject({ reason: 'authorization_details_type_not_registered' });
  });
});

describe('a token request (RFC 9396 §6)', () => {
  const granted: readonly AuthorizationDetail[] = [
    good,
    { type: 'account_information', actions: ['list_accounts', 'read_balances'], locations: ['https://bank.example/'] },
  ];
  const information = (changes: object) => [{ ...granted[1], ...changes }] as AuthorizationDetail[];

  it.each([
    ['all of it', granted],
    ['one of several', [good]],
    [
      'another order of members',
      [{ creditorName: 'Shop', instructedAmount: { amount: '1.00', currency: 'EUR' }, type: good.type }],
    ],
    ['fewer elements of a list', information({ actions: ['read_balances'] })],
  ])('may ask for %s', (_what, asked) => {
    expect(narrowAuthorizationDetails(asked, granted)).toEqual(asked);
  });

  it.each([
    ['another value', [{ ...good, creditorName: 'Thief' }]],
    ['a value inside', [{ ...good, instructedAmount: { currency: 'EUR', amount: '100.00' } }]],
    ['more elements of a list', information({ actions: ['list_accounts', 'pay'] })],
    ['a list left out, which would mean all', [{ type: 'account_information', locations: ['https://bank.example/'] }]],
    ['an emptied list', information({ actions: [] })],
    ['a field that was not there', information({ identifier: '7' })],
    ['another type', [{ type: 'account' }]],
  ])('may not ask for %s', (_what, asked) => {
    expect(() => narrowAuthorizationDetails(asked, granted)).toThrow(
      expect.objectContaining({ code: 'invalid_authorization_details', reason: 'authorization_details_widened' }),
    );
  });

  it('has nothing to ask for where nothing was granted', () => {
    expect(() => narrowAuthorizationDetails([good])).toThrow(/asks for more than was granted/);
  });
});
