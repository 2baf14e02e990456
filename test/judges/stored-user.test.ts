import { User } from 'oidc-client-ts';
import type { BrowserContextOptions } from 'playwright-core';
import { expect, it } from 'vitest';
import { createSandbox } from '../support/bundle.ts';

it('is a user that oidc-client-ts reads from the storage of a browser', async () => {
  await using sandbox = await createSandbox();
  const { origins } = await sandbox.login({ client: 'frontend', user: 'alice', as: 'browser', loadUserInfo: true });
  const stored = origins[0]?.localStorage[0]?.value ?? '';
  const user = User.fromStorageString(stored);
  expect(user.expired).toBe(false);
  expect(user.scopes).toContain('openid');
  expect(user.profile).toMatchObject({ sub: 'alice', name: 'Alice Archer', iss: sandbox.issuer });
  expect(JSON.parse(user.toStorageString())).toEqual(JSON.parse(stored));
});

it('is a storage state for Playwright', async () => {
  await using sandbox = await createSandbox();
  const login = { client: 'frontend', user: 'alice', as: 'browser' } as const;
  const state: BrowserContextOptions['storageState'] = await sandbox.login(login);
  expect(state).toEqual({
    cookies: expect.any(Array),
    origins: [expect.objectContaining({ origin: expect.any(String) })],
  });
});
