import * as v from 'valibot';
import { beforeEach, expect, it, vi } from 'vitest';
import { nearestName } from '../../../src/base/text/nearest.ts';
import { OAuthError } from '../../../src/protocol/errors.ts';
import { checkRegistration } from '../../../src/sandbox/config/client/check-registration.ts';
import { checkClient } from '../../../src/sandbox/config/client/client-rules.ts';
import { mostNames, mostProblems } from '../../../src/sandbox/config/many-problems.ts';
import { settingsWith } from '../../../src/sandbox/config/settings.ts';
import { unknownMembers, wholeMembers } from '../../../src/sandbox/config/unknown-members.ts';
import { checked } from '../../../src/sandbox/control/api/checked.ts';

// comparing names is what takes long: a million letters of unknown names took seconds
vi.mock('../../../src/base/text/nearest.ts', async original => {
  const real = await original<typeof import('../../../src/base/text/nearest.ts')>();
  return { ...real, nearestName: vi.fn(real.nearestName) };
});
const compared = vi.mocked(nearestName);
beforeEach(() => {
  compared.mockClear();
});

const manyNames = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`redirect_urs${n}`, 1]));

function refusal(sent: unknown): OAuthError {
  try {
    checked(v.strictObject({ name: v.string(), list: v.optional(v.array(v.picklist(['cat', 'dog']))) }), sent);
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

it('of a client with 20,000 unknown members names the first, and says how many more there are', () => {
  const findings = checkClient({ client_id: 'x', redirect_uris: [], ...manyNames });
  expect(findings.filter(({ expected }) => expected === 'a known name')).toHaveLength(mostNames);
  const told = findings.map(({ path, expected }) => `${path.join('.')}: ${expected}`);
  expect(told).toContain(': only known names: 19975 more are unknown');
  expect(compared.mock.calls.length).toBeLessThanOrEqual(mostNames);
});

it('ends at the first wrong value of a list with a great many, and says so', () => {
  const list = Array.from({ length: 50_000 }, (_, n) => `refresh${n}`);
  const findings = checkClient({ client_id: 'x', redirect_uris: ['https://app.example/cb'], grant_types: list });
  expect(findings.map(({ path }) => path)).toEqual([['grant_types', 0], []]);
  expect(findings[1]?.expected).toMatch(/more than 5000 values, and the rest were not checked/);
  expect(compared).toHaveBeenCalledTimes(1);
});

it('lists all problems if they are few', () => {
  const findings = checkClient({ client_id: 'x', redirect_uris: Array.from({ length: 100 }, (_, n) => n) });
  expect(findings.filter(({ path }) => path[0] === 'redirect_uris')).toHaveLength(100);
});

it('of entries looks at the next ones once the first are fixed', () => {
  const clients = Array.from({ length: 5000 }, (_, n) => ({
    ...{ document: 'config', path: ['clients', n], raw: { cliet_id: 'a' } },
  }));
  const none = {
    users: [],
    scopes: [],
    collections: [],
    authorizationDetailsTypes: [],
    trustedIssuers: [],
    tokenClaims: [],
    onToken: [],
  };
  const entries = { ...none, clients, offeredScopes: [] } as unknown as Parameters<typeof checkRegistration>[0];
  const sources = { flags: {}, env: {} } as unknown as Parameters<typeof checkRegistration>[1];
  const problems = checkRegistration(entries, sources, {} as unknown as Parameters<typeof checkRegistration>[2]);
  expect(problems.length).toBeLessThan(2 * mostProblems);
  expect(problems.at(-1)).toMatchObject({ expected: expect.stringMatching(/the next 49\d\d entries were not/) });
  expect(compared.mock.calls.length).toBeLessThan(2 * mostProblems);
});

it('of a file with 20,000 unknown members compares the first', () => {
  const problems = unknownMembers(
    { name: 'clients.config.ts', content: manyNames },
    wholeMembers(settingsWith({ extensions: [], providers: [] })),
  );
  expect(problems).toHaveLength(mostNames + 1);
  expect(compared).toHaveBeenCalledTimes(mostNames);
});

it('of a call tells the first and how many more there are, and compares no more', () => {
  const { details } = refusal(manyNames);
  expect(details.problems).toHaveLength(mostNames + 2);
  expect(details.problems?.[mostNames]).toEqual({ member: '', expected: 'only known names: 19975 more are unknown' });
  expect(compared.mock.calls.length).toBeLessThanOrEqual(mostNames);
  const list = Array.from({ length: 50_000 }, () => 'dgo');
  expect(refusal({ name: 'x', list }).details.problems).toMatchObject([
    { member: 'list[0]', sent: '"dgo"', nearest: 'dog' },
    { member: '', expected: expect.stringMatching(/and the rest were not checked/) },
  ]);
  const short = refusal({ name: 'x', list: Array.from({ length: 100 }, () => 'dgo') });
  expect(short.details.problems).toHaveLength(mostProblems);
  expect(short.description).toBe('list[0] is not as expected, and 99 more; the first 50 are listed');
});
