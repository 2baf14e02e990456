import { describe, expect, it } from 'vitest';
import { realmExport } from '../../support/keycloak-realm.ts';
import { samples } from './samples.ts';
import { importFiles } from './support.ts';

const exports = { ...samples, keycloak: realmExport({ users: 1 }) };

/** The tree with one member more, once in each of its objects. */
function* extended(value: unknown, path: readonly (string | number)[] = []): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path.join('.'), { ...value, brandNew: 'marker' }];
  for (const [name, inner] of Object.entries(value))
    for (const [place, each] of extended(inner, [...path, name]))
      yield [place, Array.isArray(value) ? value.with(Number(name), each) : { ...value, [name]: each }];
}

/** Objects that the list names as a whole: what a realm alone has, clients that are left out. The preset has the other mappers itself. */
const asWhole: Readonly<Record<string, RegExp>> = {
  keycloak:
    /^(authenticationFlows|identityProviders|components)|^clients\.([0-58]|\d\.authenticationFlow)|^clientScopes\.(\d\.protocolMappers\.\d\.config|11)$/,
};

describe.each(Object.entries(exports))('an export with a member that nobody knows: %s', (format, whole) => {
  it('is listed with the member, whichever object has it', async () => {
    const lost: string[] = [];
    let count = 0;
    for (const [place, value] of extended(whole)) {
      const { config, problems, notes } = await importFiles({ 'file.json': value });
      const said = [...problems, ...notes, JSON.stringify(config)].join('\n');
      count += 1;
      if (!/brandNew|marker/.test(said)) lost.push(place);
    }
    expect(lost.filter(place => asWhole[format]?.test(place) !== true)).toEqual([]);
    expect(count).toBeGreaterThan(1);
  });
});

const parameters = [
  'client_id',
  'scope',
  'grant_type',
  'code',
  'audience',
  'resource',
  'username',
  'subject',
  'tenant',
];
const matches = ['*', '.*', 'client_credentials', 'one', 'one|two', 'crane-.*', 'a:b:.*', 'with space', '[', ''];
const claims = {
  sub: 'subject-of-it',
  aud: ['audience-of-it'],
  acr: 'acr-of-it',
  berth: 'north-of-it',
  'https://harbour.example/tide': { height: ['tide-of-it'] },
  template: 'template-of-it ${someparam}',
  client: 'client-of-it ${clientId}',
};

describe('a generated mapping of mock-oauth2-server', () => {
  const all = parameters.flatMap(requestParam => matches.map(match => [requestParam, match] as const));
  it.each(all)('for %s = %j has each of its claims in the file, or in the list', async (requestParam, match) => {
    for (const part of [claims, { berth: claims.berth }, { aud: 'audience-of-it' }]) {
      const mapping = { requestParam, match, claims: part, typeHeader: 'at+jwt' };
      const { config, notes, problems } = await importFiles({
        'mock.json': { tokenCallbacks: [{ issuerId: 'harbour', requestMappings: [mapping] }] },
      });
      expect(problems).toEqual([]);
      const [written, list] = [JSON.stringify(config), notes.join('\n')];
      const isWholeTold = /requestMappings\[0\]: left out/.test(list);
      for (const [name, value] of Object.entries(part)) {
        const marker = /[a-z]+-of-it/.exec(JSON.stringify(value))?.[0] ?? '';
        const place = /^\w+$/.test(name) ? `.claims.${name}` : `.claims["${name}"]`;
        expect([name, written.includes(marker) || isWholeTold || list.includes(place)]).toEqual([name, true]);
      }
      expect(isWholeTold || list.includes('typeHeader')).toBe(true);
      expect(config).toMatchObject({ anyClient: true, anyIssuer: true });
      // a secret is never made up without a word
      expect(written.includes('client_secret')).toBe(list.includes('`client_secret` is its id'));
    }
  });
});
