import type { ShortLivedConfig } from '../../../sandbox/control/short-lived.ts';
import { saidBy } from '../lab/desk.ts';
import type { LabBrowser } from '../lab/lab.ts';
import type { SolverPage } from '../solver.ts';
import { labShop } from './lab-shop.ts';

type Client = NonNullable<ShortLivedConfig['clients']>[number];

const labApp: Client = {
  client_id: 'lab-app',
  client_name: 'Demo app',
  client_secret: 'app-secret',
  token_endpoint_auth_method: 'client_secret_post',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: ['{{issuer}}/demo-app/callback'],
  require_pkce: false,
  scope: 'openid profile email',
  audience: '{{issuer}}/userinfo',
};

/** The issuer of labs that attack the demo app. */
export const labAppIssuer: ShortLivedConfig = { ...labShop, clients: [labApp] };

/** A second provider of the app, at which Mallory calls himself by the e-mail address of Alice. */
export const labSecondIssuer: ShortLivedConfig = {
  label: 'Second provider',
  clients: [{ ...labApp, audience: '{{second}}/userinfo' }],
  users: [{ sub: 'mallory', claims: { name: 'Mallory Marsh', email: 'alice@example.com', email_verified: false } }],
};

/** Signs a person in at the app with the first provider. */
export async function signInToApp(browser: LabBrowser, sub: string): Promise<SolverPage> {
  const login = await browser.submit(await browser.open('/demo-app'), 'app-sign-in');
  return browser.submit(login, `login-user-${sub}`);
}

/** The result of a sign-in, as the page of the app tells it. */
export function resultOn({ html }: SolverPage): string {
  return saidBy(html) || 'Nobody is signed in.';
}
