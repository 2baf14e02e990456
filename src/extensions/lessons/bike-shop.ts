import type { ShortLivedConfig } from '../../sandbox/control/short-lived.ts';
import type { Participant, SolverPage } from './solver.ts';

/** The API of a lesson. Its access tokens name it in `aud`, and it accepts no others (RFC 9068 §4). */
export const lessonApi = '{{issuer}}/api';

/** The issuer of all lessons with a sign-in: a bike shop and its customers. */
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
      audience: lessonApi,
    },
  ],
  apiAudience: [lessonApi],
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
export const code_challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
export const redirect_uri = 'http://localhost:3000/callback';

type Parameters = Readonly<Record<string, string>>;

/** Parameters of an authorization request of a shop, changed by `more`; an empty value removes one. */
export function authorizationOf(client_id: string, more: Parameters = {}): URLSearchParams {
  const scope = 'openid profile products:read';
  const usual = { response_type: 'code', client_id, redirect_uri, scope, state: 'xyz' };
  return new URLSearchParams(filled({ ...usual, code_challenge, code_challenge_method: 'S256', ...more }));
}

/** The form that redeems a code of a shop, changed by `more`; an empty value removes a parameter. */
export function redemptionOf(client_id: string, code: string, more: Parameters = {}): Parameters {
  return filled({ grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier: verifier, ...more });
}

function filled(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
}

/** Opens the authorization URL as a browser does. */
export function authorize(by: Participant, more: Parameters = {}): Promise<SolverPage> {
  return by.open(`/oauth2/authorize?${authorizationOf('bike-shop', more)}`);
}

/** The code in the address bar; empty after a refusal. */
export function codeIn({ url }: Pick<SolverPage, 'url'>): string {
  return url.searchParams.get('code') ?? '';
}

/** Logs in and returns the code. */
export async function logIn(by: Participant, sub = 'bob', more: Parameters = {}): Promise<string> {
  return codeIn(await by.submit(await authorize(by, more), `login-user-${sub}`));
}

/** Exchanges a code for tokens; an empty verifier is left out. `more` changes the form. */
export function redeem(by: Participant, code: string, code_verifier = verifier, more: Parameters = {}) {
  return by.call('/oauth2/token', { form: redemptionOf('bike-shop', code, { code_verifier, ...more }) });
}

/** Signs Bob in and returns his tokens. */
export async function tokensOf(by: Participant, more: Parameters = {}): Promise<Parameters> {
  return (await redeem(by, await logIn(by, 'bob', more))).body;
}
