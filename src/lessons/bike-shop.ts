import type { ShortLivedConfig } from '../control/short-lived.ts';
import type { Participant, SolverPage } from './solver.ts';

/** The issuer of all lessons with a login: a bike shop and its customers. */
export const bikeShop: ShortLivedConfig = {
  clients: [
    {
      client_id: 'bike-shop',
      client_name: 'Bike shop',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: ['http://localhost:3000/callback'],
      scope: 'openid profile products:read',
      access_token_lifetime: 3600,
    },
  ],
  users: [
    { sub: 'alice', claims: { name: 'Alice Archer' } },
    { sub: 'bob', claims: { name: 'Bob Brewer' } },
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

/** The pair of RFC 7636 appendix B, which the commands of the lessons use. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const redirect_uri = 'http://localhost:3000/callback';

/** Opens the authorization URL as a browser does. `more` adds or replaces parameters. */
export function authorize(by: Participant, more: Readonly<Record<string, string>> = {}): Promise<SolverPage> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'bike-shop',
    redirect_uri,
    scope: 'openid profile products:read',
    state: 'xyz',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  });
  return by.open(`/oauth2/authorize?${query}`);
}

/** The code in the address bar. */
export function codeIn({ url }: SolverPage): string {
  return url.searchParams.get('code') ?? '';
}

/** Logs in and returns the code. */
export async function logIn(
  by: Participant,
  sub = 'bob',
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  return codeIn(await by.submit(await authorize(by, more), `login-user-${sub}`));
}

/** Exchanges a code for tokens; an empty verifier is left out. */
export function redeem(by: Participant, code: string, code_verifier = verifier) {
  const form = { grant_type: 'authorization_code', client_id: 'bike-shop', redirect_uri, code };
  return by.call('/oauth2/token', { form: code_verifier === '' ? form : { ...form, code_verifier } });
}

/** Logs Bob in and returns his tokens. */
export async function tokensOf(
  by: Participant,
  more: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  return (await redeem(by, await logIn(by, 'bob', more))).body;
}
