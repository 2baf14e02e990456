import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plans } from '../../../src/extensions/examine/plans/index.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { careful, createCarefulClient } from './careful-client.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ clients: [careful] });
});
afterAll(() => sandbox.stop());

async function examined(plan: string, lapse?: string) {
  return sandbox.examine({ plan, login: createCarefulClient(lapse), user: 'alice', sideBySide: 1 });
}

/** Checks that the specification only recommends, or that libraries leave out for a minute. */
const onlyRecommended = ['invalid-secondary-aud', 'signing-key-rotation', 'signing-key-rotation-just-before-signing'];

describe.each(plans)('the plan $id', ({ id: plan, modules: all }) => {
  it('passes a client that makes each check', async () => {
    const { modules, issuers } = await examined(plan);
    expect(issuers).toBe('own');
    expect(modules.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(modules).toHaveLength(all.length);
  });

  it.each(all.slice(1).map(({ id }) => id))('fails a client without one check in %s alone', async id => {
    const { modules, verdict } = await examined(plan, id);
    const failed = modules.filter(each => each.verdict !== 'pass' && each.verdict !== 'not_applicable');
    const expected = onlyRecommended.includes(id) ? 'warn' : 'fail';
    expect(failed.map(each => [each.id, each.verdict])).toEqual([[id, expected]]);
    expect(verdict).toBe(expected);
    expect(failed[0]?.requests.length).toBeGreaterThan(0);
  });
});
