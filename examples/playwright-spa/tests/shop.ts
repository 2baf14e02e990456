import { test as base, expect, type SignIn } from 'grantbox/playwright';

export { expect };

/** One web server serves all workers: each test tells the application where its own issuer is. */
export const test = base.extend<{ shop: undefined }>({
  shop: [
    async ({ context, issuer }, use) => {
      const json = { issuer: issuer.issuer, client_id: 'shop' };
      await context.route('**/config.json', route => route.fulfill({ json }));
      await use(undefined);
    },
    { auto: true },
  ],
});

/** A user at this application, which loads UserInfo (src/session.ts). */
export function as(user: string): SignIn {
  return { client: 'shop', user, loadUserInfo: true };
}
