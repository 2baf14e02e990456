import { afterAll, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { openLogoutApp } from './careful-logout.ts';
import { itTellsApart } from './tells-apart.ts';

const app = await openLogoutApp();
afterAll(() => app.close());

itTellsApart({ plan: 'logout', entry: app.entry, create: app.create });

it('an error of a step after the sign-in decides nothing', async () => {
  await using sandbox = await createSandbox({ clients: [app.entry] });
  const logout = () => Promise.reject(new Error('the page did not load'));
  const asked = { plan: 'logout', modules: ['rp-init-logout'], user: 'alice' };
  const { modules } = await sandbox.examine({ ...asked, login: app.create().login, logout });
  const words = 'The sign-in, or the step after it, ended without a result.';
  expect(modules[1]).toMatchObject({ verdict: 'inconclusive', why: words, said: 'the page did not load' });
});
