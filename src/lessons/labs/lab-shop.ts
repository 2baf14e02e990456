import type { ShortLivedConfig } from '../../control/short-lived.ts';
import { verifier } from '../bike-shop.ts';
import type { LabBrowser } from '../lab/lab.ts';
import { LabStop } from '../lab/lab.ts';
import type { SolverPage } from '../solver.ts';

/** The application that most labs attack, with a customer and an attacker. */
export const labShop: ShortLivedConfig = {
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
    },
  ],
  users: [
    { sub: 'alice', claims: { name: 'Alice Archer', email: 'alice@example.com', email_verified: true } },
    { sub: 'mallory', claims: { name: 'Mallory Marsh', email: 'mallory@example.com', email_verified: true } },
  ],
  scopes: { 'products:read': 'see the products' },
  collections: {
    products: {
      readScope: 'products:read',
      fields: { name: 'string', price: 'number' },
      seed: [{ name: 'City bike', price: 549 }],
    },
  },
};

const redirect_uri = 'http://localhost:3000/callback';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** Parameters of an authorization request of the shop; an empty value removes one. */
export function shopRequest(more: Readonly<Record<string, string>> = {}): URLSearchParams {
  const all = {
    response_type: 'code',
    client_id: 'lab-shop',
    redirect_uri,
    scope: 'openid profile products:read',
    state: 'xyz',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  };
  return new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ''));
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
  if (codeOf(page.url) !== '') return page; // the session of an earlier login
  if (!page.html.includes(`login-user-${sub}`))
    throw new LabStop('The server showed no login page, so nobody logged in.');
  return browser.submit(page, `login-user-${sub}`);
}

/** The code in the address of the callback; empty after a refusal. */
export function codeOf(url: URL): string {
  return url.searchParams.get('code') ?? '';
}

/** Exchanges a code for tokens; an empty value removes a parameter. */
export async function redeemAtShop(
  browser: LabBrowser,
  code: string,
  more: Readonly<Record<string, string>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const all = {
    grant_type: 'authorization_code',
    client_id: 'lab-shop',
    redirect_uri,
    code,
    code_verifier: verifier,
    ...more,
  };
  const form = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
  return (await browser.call('/oauth2/token', { form, headers })).body;
}

/** Reads the products with a token. */
export function readProducts(browser: LabBrowser, token: string) {
  return browser.call('/api/products', { headers: { Authorization: `Bearer ${token}` } });
}
