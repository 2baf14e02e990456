import type { Sandbox } from '../../src/index.ts';

/** The pair of RFC 7636 appendix B. */
export const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** A complete authorization request of `frontend`; an empty value leaves a parameter out. */
export function authorizationUrl(
  { url }: Sandbox,
  redirect_uri: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const request = {
    response_type: 'code',
    client_id: 'frontend',
    redirect_uri,
    scope: 'openid profile email products:read',
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...parameters,
  };
  return `${url}/oauth2/authorize?${new URLSearchParams(Object.entries(request).filter(([, value]) => value !== ''))}`;
}

/** Tokens for the code that came to the redirect URI. */
export async function redeemCode({ url }: Sandbox, redirect_uri: string, code: string): Promise<Tokens> {
  return askTokens(url, { grant_type: 'authorization_code', code, redirect_uri, code_verifier: codeVerifier });
}

export async function refresh({ url }: Sandbox, refresh_token: string): Promise<Tokens> {
  return askTokens(url, { grant_type: 'refresh_token', refresh_token });
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

async function askTokens(url: string, parameters: Record<string, string>): Promise<Tokens> {
  const body = new URLSearchParams({ client_id: 'frontend', ...parameters });
  const response = await fetch(`${url}/oauth2/token`, { method: 'POST', body });
  if (!response.ok) throw new Error(`the token endpoint answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Tokens;
}

/** A token of the `sensor`, for itself: the shortest way to one more row in the dashboard. */
export async function sensorToken({ url }: Sandbox, scope = 'telemetry:write'): Promise<string> {
  const response = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa('sensor:sensor-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  });
  const { access_token } = (await response.json()) as Tokens;
  return access_token;
}
