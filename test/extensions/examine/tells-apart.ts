import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExamLogin, ExamSteps } from '../../../src/extensions/examine/driver.ts';
import { planNamed } from '../../../src/extensions/examine/plans/index.ts';
import { type ClientEntry, createSandbox, type Sandbox } from '../../../src/index.ts';

/** A client of our own that makes each check of a plan by itself, and leaves out the one that is named. */
export interface ExaminedClient {
  readonly plan: string;
  readonly entry: ClientEntry;
  /** `lapse`: the id of the module that it fails; absent for none. */
  create(lapse?: string): ExamLogin | ExamSteps;
  /** Modules whose check the specification only recommends: without it, the client is warned. */
  readonly recommended?: readonly string[];
  /** Modules that this client cannot meet: another client is about them. */
  readonly absent?: readonly string[];
  /** The modules that this client is about. Default: all but `absent`. */
  readonly only?: readonly string[];
  /** Modules that tell a wrong client, and cannot tell a right one. */
  readonly unseen?: readonly string[];
  /** What the sandbox needs beside the client. */
  readonly config?: NonNullable<Parameters<typeof createSandbox>[0]>;
}

/** Tests that the plan passes the client, and that each of its modules fails the client without that check, and no other. */
export function itTellsApart({ plan, entry, create, recommended = [], config, ...about }: ExaminedClient): void {
  const modules = planNamed(plan).modules;
  const { absent = [], unseen = [] } = about;
  const ids = modules.slice(1).map(({ id }) => id);
  const only = about.only ?? ids.filter(id => !absent.includes(id));
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ ...config, clients: [entry] });
  });
  afterAll(() => sandbox.stop());
  const examined = (lapse?: string) => {
    const made = create(lapse);
    const steps = typeof made === 'function' ? { login: made } : made;
    return sandbox.examine({ plan, ...steps, user: 'alice', sideBySide: 1 });
  };

  describe(`the plan ${plan}`, () => {
    it('passes a client that makes each check', async () => {
      const result = await examined();
      expect(result.issuers).toBe('own');
      const wrong = result.modules.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not_applicable');
      expect(wrong.map(each => `${each.id}: ${each.verdict}, ${each.why} ${each.said}`)).toEqual([]);
      const passed = result.modules.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
      expect(only.filter(id => !passed.includes(id))).toEqual(unseen);
      expect(absent.filter(id => passed.includes(id))).toEqual([]);
      expect(result.modules).toHaveLength(modules.length);
    });

    it.each(only)('fails a client without one check in %s alone', async id => {
      const result = await examined(id);
      const failed = result.modules.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not_applicable');
      const expected = recommended.includes(id) ? 'warn' : 'fail';
      expect(failed.map(each => [each.id, each.verdict])).toEqual([[id, expected]]);
      expect(result.verdict).toBe(expected);
      expect(failed[0]?.requests.length).toBeGreaterThan(0);
    });
  });
}
