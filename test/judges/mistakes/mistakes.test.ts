import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressMistakes } from './addresses.ts';
import { apiMistakes } from './api.ts';
import { codeMistakes, pkceMistakes } from './codes.ts';
import { dpopMistakes } from './dpop.ts';
import { commit, type Judged, judge, refusalsAfter, type Verdict } from './judge.ts';
import type { Mistake } from './mistake.ts';
import { browser } from './party.ts';
import { assertionMistakes, secretMistakes } from './proofs.ts';
import { pushedMistakes, requestMistakes } from './requests.ts';
import { logoutMistakes, silentMistakes } from './sessions.ts';
import { refreshMistakes, tokenRequestMistakes } from './tokens.ts';
import { createWorld, type World } from './world.ts';

const families: readonly [string, readonly Mistake[]][] = [
  ['an address', addressMistakes],
  ['PKCE', pkceMistakes],
  ['a code', codeMistakes],
  ['a request for a login', requestMistakes],
  ['a pushed request', pushedMistakes],
  ['a secret', secretMistakes],
  ['a client assertion', assertionMistakes],
  ['a token request', tokenRequestMistakes],
  ['a refresh token', refreshMistakes],
  ['a proof of possession', dpopMistakes],
  ['a call of the API', apiMistakes],
  ['a logout, a host name or a path', logoutMistakes],
  ['nothing that anybody is told', silentMistakes],
];

const all = families.flatMap(([, mistakes]) => mistakes);
const clientsOf = (mistakes: readonly Mistake[]) => mistakes.flatMap(({ me, others = [] }) => [me, ...others]);
const verdicts: Verdict[] = [];
let shared: World;

beforeAll(async () => {
  shared = await createWorld({ clients: clientsOf(all.filter(({ settings }) => settings === undefined)) });
});
afterAll(() => shared[Symbol.asyncDispose]());

describe.each(families)('a mistake with %s', (_, mistakes) => {
  it.each(mistakes)('leads to a page that names cause and values, and is mended there: $name', async mistake => {
    if (mistake.settings === undefined) return look(shared, mistake);
    await using own = await createWorld({ clients: clientsOf([mistake]), ...mistake.settings });
    return await look(own, mistake);
  });
});

async function look(world: World, mistake: Mistake): Promise<void> {
  const judged = await commit(world, mistake);
  const verdict = judge(judged, mistake);
  verdicts.push(verdict);
  expect({ ...verdict, told: judged.told }).toEqual({
    ...{ name: mistake.name, namesCause: true, namesBothValues: true, isComplete: true, isOnPage: true },
    ...{ keepsSecrets: true, told: judged.told },
  });
  expectLink(world, judged);
  const button = judged.told.fixes.find(({ apply }) => apply !== undefined)?.apply?.label;
  expect(button ?? 'mended in the app').toMatch(mistake.press ?? /^mended in the app$/);
  if (button !== undefined) await mend(world, mistake, judged);
}

/** The answer itself leads to the page. */
function expectLink({ answers, sandbox }: World, { requestId }: Judged): void {
  if (!requestId.startsWith('req_')) return;
  const headers = answers.get(requestId);
  const told = `${headers?.get('link')} ${decodeURIComponent(headers?.get('location') ?? '')}`;
  expect(told).toContain(`${sandbox.issuer}/dashboard/problems/${requestId}`);
}

/** Presses the button, and lets the very same code of the app run again. */
async function mend(world: World, mistake: Mistake, { requestId }: Judged): Promise<void> {
  const agent = browser(world);
  const page = await agent.open(`${world.url}/dashboard/problems/${requestId}`);
  const pressed = await agent.submit(page, 'problem-fix');
  expect(pressed.status, pressed.html).toBeLessThan(400); // a page, or on at the app
  const { lastId } = world.sandbox.events;
  await mistake.make(world, mistake.me);
  expect(refusalsAfter(world, lastId)).toEqual([]);
}

describe('the explanations of all mistakes', () => {
  it('name the cause of at least 95 of a hundred, of forty and more, and both values of each', () => {
    expect(verdicts.length).toBeGreaterThanOrEqual(40);
    expect(verdicts).toHaveLength(all.length);
    const named = verdicts.filter(({ namesCause }) => namesCause);
    expect(named.length / verdicts.length).toBeGreaterThanOrEqual(0.95);
    expect(verdicts.filter(({ namesBothValues }) => !namesBothValues)).toEqual([]);
  });
});
