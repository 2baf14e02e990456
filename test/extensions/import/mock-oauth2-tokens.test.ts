import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { importFiles } from './support.ts';

interface Mapping {
  readonly requestParam: string;
  readonly match: string;
  readonly claims: Readonly<Record<string, string>>;
}

const matches: Readonly<Record<string, readonly string[]>> = {
  client_id: ['crane', 'cra.*', 'crane|tug', '*'],
  scope: ['berths', '*'],
  grant_type: ['client_credentials', 'authorization_code', '*'],
  audience: ['cluster:ns:app', 'cluster:.*', '*'],
  tenant: ['north', 'n.*', '*'],
};
const all = Object.entries(matches).flatMap(([requestParam, each]) => each.map(match => ({ requestParam, match })));

/** Every mapping before every other one, with claims of their own. */
const pairs = all.flatMap(first =>
  all
    .filter(({ requestParam }) => requestParam !== first.requestParam)
    .map(second =>
      [first, second].map(
        (each, index): Mapping => ({ ...each, claims: { berth: `${index}`, [`only${index}`]: 'x' } }),
      ),
    ),
);

const requests: readonly Readonly<Record<string, string>>[] = [
  { client_id: 'crane' },
  { client_id: 'tug', scope: 'berths', tenant: 'north' },
  { client_id: 'barge', audience: 'cluster:ns:app', tenant: 'south' },
];

/** RequestMapping.isMatch of the mock. */
function fits({ requestParam, match }: Mapping, form: Readonly<Record<string, string>>): boolean {
  const value = form[requestParam];
  return value !== undefined && (match === '*' || match === value || new RegExp(`^(?:${match})$`).test(value));
}

describe('a token by imported mappings of mock-oauth2-server', () => {
  it('has the claims of the first mapping that fits the request, as in the mock', async () => {
    const tokenCallbacks = pairs.map((requestMappings, index) => ({ issuerId: `i${index}`, requestMappings }));
    const { config } = await importFiles({ 'mock.json': { tokenCallbacks } });
    await using sandbox = await createSandbox({ ...config, port: 0 });
    const wrong: unknown[] = [];
    for (const { issuerId, requestMappings } of tokenCallbacks)
      for (const request of requests) {
        const form = { grant_type: 'client_credentials', ...request };
        const answer = await fetch(`${sandbox.issuer}/${issuerId}/oauth2/token`, {
          method: 'POST',
          body: new URLSearchParams({ ...form, client_secret: 'any' }),
        });
        const { access_token: token = '', ...error } = await answer.json();
        const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}');
        const { berth, only0, only1 } = claims;
        const expected: Mapping | undefined = requestMappings.find(each => fits(each, form));
        const made = JSON.stringify({ berth, only0, only1 });
        const { berth: b, only0: a, only1: c } = expected?.claims ?? {};
        if (made !== JSON.stringify({ berth: b, only0: a, only1: c }))
          wrong.push({ requestMappings, form, made, error });
      }
    expect(wrong).toEqual([]);
    expect(pairs.length).toBeGreaterThan(60);
  });
});
