import type { Authorization, Redemption } from '../authorization.ts';
import type { TokenRequest } from '../authorization-server.ts';
import { parameter } from '../parameters.ts';
import type { AuthorizationDetail } from '../requests/authorization-details.ts';

type Asking = Pick<TokenRequest, 'server' | 'client' | 'parameters'>;

/**
 * The `authorization_details` of a token request (RFC 9396 §5); what reads them is loaded when they first come.
 * @throws invalid_authorization_details
 */
export async function requestedDetails({
  server,
  client,
  parameters,
}: Asking): Promise<readonly AuthorizationDetail[] | undefined> {
  const text = server.features.has('rar') ? parameter(parameters, 'authorization_details') : undefined;
  if (text === undefined) return undefined;
  const { parseAuthorizationDetails } = await import('../requests/authorization-details-parameter.ts');
  return parseAuthorizationDetails(server, client, text);
}

/**
 * How much of what was granted a token is for (RFC 9396 §6); empty where the request says nothing of it.
 * @throws invalid_authorization_details for more than was granted
 */
export async function narrowedDetails(
  request: Asking,
  { authorization_details: granted }: Authorization,
): Promise<Pick<Redemption, 'authorization_details'>> {
  const asked = await requestedDetails(request);
  if (asked === undefined) return {};
  const { narrowAuthorizationDetails } = await import('../requests/authorization-details-parameter.ts');
  return { authorization_details: narrowAuthorizationDetails(asked, granted) };
}
