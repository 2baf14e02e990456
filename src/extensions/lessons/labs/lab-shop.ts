import type { ShortLivedConfig } from '../../../sandbox/control/short-lived.ts';
import { authorizationOf, bikeShop, codeIn, lessonApi, redemptionOf } from '../bike-shop.ts';
import { chain } from '../checks/check.ts';
import { type LabBrowser, type LabStep, LabStop } from '../lab/lab.ts';
import type { SolverPage } from '../solver.ts';

/** The app that most labs attack, with a customer and an attacker. */
export const labShop: ShortLivedConfig = {
  ...bikeShop,
  label: 'Lab',
  clients: [
    {
      client_id: 'lab-shop',
      client_name: 'Shop of the lab',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: ['http://localhost:3000/callback'],
      scope: 'openid profile email products:read',
      access_token_lifetime: 3600,
      audience: lessonApi,
    },
  ],
  users: [
    { sub: 'alice', claims: { name: 'Alice Archer', email: 'alice@example.com', email_verified: true } },
    { sub: 'mallory', claims: { name: 'Mallory Marsh', email: 'mallory@example.com', email_verified: true } },
  ],
};

/** Parameters of an authorization request of the shop; an empty value removes one. */
export function shopRequest(more: Readonly<Record<string, string>> = {}): URLSearchParams {
  return authorizationOf('lab-shop', more);
}

/**
 * Logs a person in at the shop, and returns the page at which their browser ends.
 * @throws LabStop if the server refuses the request
 */
export async function logInAtShop(
  browser: LabBrowser,
  sub: string,
  more: Readonly<Record<string, string>> = {},
): Promise<SolverPage> {
  const page = await browser.open(`/oauth2/authorize?${shopRequest(more)}`);
  if (codeIn(page) !== '') return page; // the session of an earlier login
  if (!page.html.includes(`login-user-${sub}`))
    throw new LabStop('The server showed no sign-in page, so nobody signed in.');
  return browser.submit(page, `login-user-${sub}`);
}

/** Exchanges a code for tokens; an empty value removes a parameter. */
export async function redeemAtShop(
  browser: LabBrowser,
  code: string,
  more: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const form = redemptionOf('lab-shop', code, more);
  return (await browser.call('/oauth2/token', { form, headers })).body;
}

export function readProducts(browser: LabBrowser, token: string) {
  return browser.call('/api/products', { headers: { Authorization: `Bearer ${token}` } });
}

/** The goal of labs by hand: somebody reads the products with the code of the victim, and it does not matter by which tool. */
export const readWithCodeOfVictim = chain(
  { type: 'code.issued', sub: 'alice', as: 'code', next: 'let Alice sign in' },
  { type: 'request.completed', requestId: { $: 'code.requestId' }, by: 'victim' },
  { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'code.tokenId' }, as: 'token' },
  { type: 'token.used', endpoint: 'api', tokenId: { $: 'token.tokenId' } },
);

/** Mallory reads the products with the token that an earlier step kept. */
export const readStep: LabStep = {
  id: 'read',
  by: 'mallory',
  async run({ mallory, kept, see }) {
    const { status } = await readProducts(mallory, kept('token'));
    see('The API answers the token of Alice', String(status));
  },
};
