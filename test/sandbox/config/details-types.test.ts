import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../support/load-config.ts';
import { problemsOf, shop, withFile } from './support.ts';

describe('types of authorization details', () => {
  it('have words and fields, the short form filled in', async () => {
    const authorizationDetailsTypes = {
      'https://bank.example/payment': { fields: { amount: 'number', note: { type: 'string', required: false } } },
      booking: { description: 'book a bike' },
    };
    const { authorizationDetailsTypes: types } = await loadConfig(withFile({ authorizationDetailsTypes }));
    expect(types).toEqual([
      {
        name: 'https://bank.example/payment',
        description: 'use "https://bank.example/payment"',
        fields: { amount: { type: 'number', required: true }, note: { type: 'string', required: false } },
      },
      { name: 'booking', description: 'book a bike', fields: {} },
    ]);
  });

  it.each<[string, object, string, string]>([
    ['a name with spaces', { 'a b': {} }, '["a b"]', 'visible ASCII'],
    ['an unknown member', { booking: { words: 'x' } }, '.booking.words', 'a known name'],
    ['fields that are a text', { booking: { fields: 'bike' } }, '.booking.fields', 'an object'],
    ['an unknown type', { booking: { fields: { at: 'date' } } }, '.booking.fields.at', 'string, number, boolean'],
    ['an unknown type in full', { booking: { fields: { at: { type: 'date' } } } }, '.booking.fields.at.type', 'string'],
    ['a field type', { booking: { fields: { type: 'string' } } }, '.booking.fields.type', 'a different name'],
  ])('are refused for %s', async (_what, authorizationDetailsTypes, path, expected) => {
    const problems = await problemsOf(withFile({ authorizationDetailsTypes }));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.source).toBe(`clients.config.json: authorizationDetailsTypes${path}`);
    expect(problems[0]?.expected).toContain(expected);
  });
});

describe('requirements of a collection for the login', () => {
  const fields = { name: 'string' };

  it('are separate for reading and writing', async () => {
    const notes = {
      readScope: 'a',
      writeScope: 'b',
      writeAcrValues: ['urn:gold'],
      writeMaxAge: 60,
      readMaxAge: 1,
      fields,
    };
    const { collections } = await loadConfig(withFile({ collections: { notes } }));
    expect(collections).toMatchObject([
      { name: 'notes', writeAcrValues: ['urn:gold'], writeMaxAge: 60, readMaxAge: 1 },
    ]);
  });

  it.each([
    ['writing where nothing can be written', { readScope: 'a', writeMaxAge: 60 }, 'writeMaxAge', 'writeScope as well'],
    [
      'reading where nothing can be read',
      { writeScope: 'a', readAcrValues: ['1'] },
      'readAcrValues',
      'readScope as well',
    ],
    ['no acr at all', { readScope: 'a', readAcrValues: [] }, 'readAcrValues', 'at least one acr value'],
    ['no time at all', { readScope: 'a', readMaxAge: 0 }, 'readMaxAge', 'a whole number of seconds, 1 or more'],
  ])('is refused for %s', async (_what, members, path, expected) => {
    const problems = await problemsOf(withFile({ collections: { notes: { ...members, fields } } }));
    expect(problems).toMatchObject([{ source: `clients.config.json: collections.notes.${path}`, expected }]);
  });
});

describe('CONSENT', () => {
  it.each([
    ['is off', {}, undefined, false],
    ['is on for clients that say nothing', { CONSENT: 'on' }, undefined, true],
    ['is not for clients that say no', { CONSENT: 'on' }, false, false],
    ['and one client may say yes', {}, true, true],
  ])('%s', async (_what, env, said, expected) => {
    const client = said === undefined ? shop : { ...shop, require_consent: said };
    const { clients, clientDefaults } = await loadConfig({ ...withFile({ clients: [client] }), env });
    expect(clients[0]?.require_consent).toBe(expected);
    expect(clientDefaults.consent).toBe('CONSENT' in env);
  });
});
