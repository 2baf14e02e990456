import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { signIn } from '../../support/wire.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** In a function of its own, so that nothing of it is on the stack afterwards. */
async function useAndEnd(sandbox: Sandbox): Promise<WeakRef<object>> {
  const made = await sandbox.createIssuer();
  await signIn(made.issuer); // loads its pages, and limits its logins
  const seen = new WeakRef<object>(made.events);
  await made.stop();
  return seen;
}

it('nothing of an issuer is left when it has ended', async () => {
  await using sandbox = await createSandbox();
  const ended = await Promise.all(Array.from({ length: 5 }, () => useAndEnd(sandbox)));
  const left = () => ended.filter(each => each.deref() !== undefined).length;
  for (let tries = 0; tries < 40 && left() > 0; tries++) {
    await new Promise(resolve => setTimeout(resolve, 100));
    collectGarbage();
  }
  expect(left()).toBe(0);
});
