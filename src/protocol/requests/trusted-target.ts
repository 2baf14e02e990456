import type { Emit } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { allowsRedirectUri, type RegisteredClient } from '../clients/client.ts';
import { configuredIds, findClient, unknownClient } from '../clients/find-client.ts';
import { invalidRequest } from '../errors.ts';
import { parameter, type RequestParameters, shorten, withValues } from '../parameters.ts';
import { isRelaxed } from '../relaxation.ts';
import { parseScope } from '../scope.ts';

/** @throws invalid_request, which names the client that was probably meant */
export async function knownClient(
  server: AuthorizationServer,
  client_id: string,
  emit?: Emit,
): Promise<RegisteredClient> {
  const client = await findClient(server, client_id, emit);
  if (client !== undefined) return client;
  const { description, sent, nearest } = await unknownClient(server, client_id);
  const expected = nearest ?? `one of ${configuredIds(server).join(', ')}`;
  throw invalidRequest('client_unknown', description, { sent, expected });
}

/**
 * The redirect URI of an authorization request (RFC 6749 §3.1.2.3, §4.1.2.1).
 * @throws invalid_request, which must not be sent to any redirect URI
 */
export function trustedRedirectUri(
  server: Pick<AuthorizationServer, 'dialect' | 'relaxations'>,
  client: RegisteredClient,
  parameters: RequestParameters,
): string {
  const sent = parameter(parameters, 'redirect_uri');
  const expected = registered(client);
  const { client_id } = client;
  if (sent !== undefined) {
    if (
      allowsRedirectUri(client, sent) ||
      server.dialect?.allowsRedirectUri?.(client, sent) ||
      (beginsAsRegistered(client, sent) && isRelaxed(server, client_id, 'redirect_prefix'))
    )
      return sent;
    const description = withValues(`redirect_uri is not registered for ${client_id}`, sent, expected);
    throw invalidRequest('redirect_uri_not_registered', description, { sent: shorten(sent, 500), expected, client_id });
  }
  const [only, second] = client.redirect_uris;
  const isOpenId = parseScope(parameters.values.get('scope')).includes('openid'); // OIDC Core §3.1.2.1 requires the parameter
  if (only !== undefined && second === undefined && !isOpenId) return only;
  throw invalidRequest('redirect_uri_missing', 'redirect_uri is missing', { expected, client_id });
}

/** The careless comparison of `redirect_prefix`. Others compare character by character. */
function beginsAsRegistered({ redirect_uris }: RegisteredClient, sent: string): boolean {
  return redirect_uris.some(uri => sent.startsWith(uri));
}

function registered({ redirect_uris, redirect_uri_patterns = [], loopback_redirects }: RegisteredClient): string {
  const all = [
    ...redirect_uris,
    ...redirect_uri_patterns.map(pattern => `any address like ${pattern}`),
    ...(loopback_redirects ? ['any http[s]://localhost:<port> address'] : []),
  ];
  return all.length === 0 ? 'a registered value, but none is registered' : all.join('\n');
}
