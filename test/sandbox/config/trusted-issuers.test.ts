import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../support/load-config.ts';
import { problemsOf, withFile } from './support.ts';

const idp = 'https://idp.example';
const jwks = { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] };

describe('trusted issuers', () => {
  it('are empty by default', async () => {
    expect(await loadConfig({})).toMatchObject({ trustedIssuers: [] });
  });

  it('have defaults for all but their keys', async () => {
    const { trustedIssuers } = await loadConfig(withFile({ trustedIssuers: { [idp]: { jwks } } }));
    expect(trustedIssuers).toEqual([
      { issuer: idp, jwks, audience: [], algorithms: [], subjectClaim: 'sub', users: {}, createUsers: false },
    ]);
  });

  it('say everything there is to say', async () => {
    const entry = {
      jwks_uri: 'https://idp.example/jwks',
      audience: 'urn:sandbox',
      algorithms: ['ES256', 'EdDSA'],
      subjectClaim: 'email',
      users: { 'a@idp.example': 'alice' },
      createUsers: true,
    };
    const { trustedIssuers } = await loadConfig(withFile({ trustedIssuers: { [idp]: entry } }));
    expect(trustedIssuers).toEqual([{ ...entry, issuer: idp, audience: ['urn:sandbox'] }]);
  });

  it('may lead to users that are created', async () => {
    const entry = { jwks, users: { 'a-42': 'nobody-yet' }, createUsers: true };
    expect(await loadConfig(withFile({ trustedIssuers: { [idp]: entry } }))).toMatchObject({
      trustedIssuers: [{ users: { 'a-42': 'nobody-yet' } }],
    });
  });

  it.each<[string, unknown, string, RegExp, string?]>([
    ['without keys', {}, '.jwks', /jwks or jwks_uri/],
    [
      'with keys in both places',
      { jwks, jwks_uri: 'https://idp.example/jwks' },
      '.jwks_uri',
      /either jwks or jwks_uri/,
    ],
    ['with a jwks_uri that is none', { jwks_uri: 'idp/jwks' }, '.jwks_uri', /http or https URL/],
    ['with a private key', { jwks: { keys: [{ ...jwks.keys[0], d: 'd' }] } }, '.jwks.keys[0].d', /only public keys/],
    ['with a secret key', { jwks: { keys: [{ kty: 'oct', k: 'k' }] } }, '.jwks.keys[0].k', /only public keys/],
    ['with an unknown algorithm', { jwks, algorithms: ['ES257'] }, '.algorithms[0]', /RS256/, 'ES256'],
    ['with a symmetric algorithm', { jwks, algorithms: ['HS256'] }, '.algorithms[0]', /RS256/, 'RS256'],
    ['with no algorithm', { jwks, algorithms: [] }, '.algorithms', /at least one/],
    ['with an audience that is a number', { jwks, audience: 3 }, '.audience', /an audience or a list/],
    ['with an empty subjectClaim', { jwks, subjectClaim: '' }, '.subjectClaim', /not empty/],
    ['with a user nobody is', { jwks, users: { 'a-42': 'nobody' } }, '.users["a-42"]', /the sub of a user/],
    ['with createUsers as text', { jwks, createUsers: 'yes' }, '.createUsers', /true or false/],
    ['with an unknown member', { jwks, jwksUri: 'x' }, '.jwksUri', /a known name/, 'jwks_uri'],
    ['that is no object', 'x', '', /an object/],
  ])('are refused %s', async (_what, entry, path, expected, nearest) => {
    const problems = await problemsOf(withFile({ trustedIssuers: { [idp]: entry } }));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.source).toBe(`clients.config.json: trustedIssuers["https://idp.example"]${path}`);
    expect(problems[0]?.expected).toMatch(expected);
    expect(problems[0]?.nearest).toBe(nearest);
  });

  it.each(['idp', '', 'https://idp example'])('are refused under the name %j', async name => {
    const problems = await problemsOf(withFile({ trustedIssuers: { [name]: { jwks } } }));
    expect(problems).toMatchObject([{ expected: expect.stringMatching(/the iss of the JWTs as the name/) }]);
  });

  it('are reported with all their problems at once', async () => {
    const bad = { jwks: { keys: [{ ...jwks.keys[0], d: 'd' }] }, algorithms: ['none'], users: { x: 'nobody' } };
    const problems = await problemsOf(withFile({ trustedIssuers: { [idp]: bad, other: {} } }));
    expect(problems.map(({ source }) => source.replace(/^.*trustedIssuers/, ''))).toEqual([
      ...['["https://idp.example"].algorithms[0]', '["https://idp.example"].jwks.keys[0].d'],
      ...['["https://idp.example"].users.x', '.other', '.other.jwks'],
    ]);
  });

  it('are an object', async () => {
    const problems = await problemsOf(withFile({ trustedIssuers: [] }));
    expect(problems).toMatchObject([{ expected: 'an object with trustedIssuers by name' }]);
  });
});
