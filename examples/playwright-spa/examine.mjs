// npm run examine: grantbox signs in once for each module, at an issuer that misbehaves in this module alone.
import { preview } from 'vite';

const { httpServer, resolvedUrls } = await preview({ preview: { port: 0 }, logLevel: 'silent' });
httpServer.unref(); // the command ends it

export default async ({ page, issuer }) => {
  await page.route('**/config.json', route => route.fulfill({ json: { issuer, client_id: 'frontend' } }));
  await page.goto(resolvedUrls.local[0]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForFunction(
    () => location.pathname === '/' && /^(?!Loading)/.test(document.querySelector('#notice')?.textContent ?? 'Loading'),
  );
  return page.getByText('Signed in as').isVisible();
};
