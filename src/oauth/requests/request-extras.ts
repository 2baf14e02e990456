import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { Feature } from '../feature.ts';
import { parameter, type RequestParameters } from '../parameters.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/**
 * Adds the parts of an authorization request that few requests have: `claims` (OIDC Core §5.5) and
 * `authorization_details` (RFC 9396). What reads them is loaded when one first comes.
 * @throws OAuthError, which may be told to the redirect URI
 */
export async function withExtras(
  server: AuthorizationServer,
  client: RegisteredClient,
  asked: AuthorizationRequest,
  parameters: RequestParameters,
): Promise<AuthorizationRequest> {
  const sent = (feature: Feature, name: string) =>
    server.features.has(feature) ? parameter(parameters, name) : undefined;
  const claims = sent('claims', 'claims');
  const details = sent('rar', 'authorization_details');
  if (claims === undefined && details === undefined) return asked;
  return {
    ...asked,
    ...(claims === undefined ? {} : await readClaims(server, asked, claims)),
    ...(details === undefined ? {} : await readDetails(server, client, details)),
  };
}

/** Without `openid` it is no OpenID request, and there is neither ID Token nor UserInfo to put them in. */
async function readClaims(
  server: AuthorizationServer,
  asked: AuthorizationRequest,
  text: string,
): Promise<Pick<AuthorizationRequest, 'claims'>> {
  const [{ parseClaimsParameter }, { checkEssentialAcr }] = await Promise.all([
    import('./claims-parameter.ts'),
    import('../users/acr.ts'),
  ]);
  const claims = parseClaimsParameter(text);
  if (!asked.scopes.includes('openid')) return {};
  checkEssentialAcr(server, { ...asked, claims });
  return { claims };
}

async function readDetails(
  server: AuthorizationServer,
  client: RegisteredClient,
  text: string,
): Promise<Pick<AuthorizationRequest, 'authorization_details'>> {
  const { parseAuthorizationDetails } = await import('./authorization-details-parameter.ts');
  return { authorization_details: parseAuthorizationDetails(server, client, text) };
}
