import type { AuthorizationServer } from './authorization-server.ts';
import { invalidTarget } from './errors.ts';
import { type RequestParameters, shorten } from './parameters.ts';
import { checkResources } from './resource-indicator.ts';

/**
 * Whom a token of an exchange is for (RFC 8693 §2.1): `resource` by address, where any API may be, and `audience` by a name
 * this server knows: a client, the audience of one, or what the subject token is for already. Empty means the client's default.
 * @throws invalid_target
 */
export function exchangeTargets(
  server: AuthorizationServer,
  { resources, audiences = [] }: RequestParameters,
  before: string | readonly string[] = [],
): readonly string[] {
  const targets = checkResources(resources);
  const known = knownAudiences(server);
  const ofSubject = typeof before === 'string' ? [before] : before;
  const unknown = audiences.find(audience => !known.has(audience) && !ofSubject.includes(audience));
  if (unknown !== undefined) {
    throw invalidTarget('audience_unknown', 'audience is neither a client nor the audience of one', {
      sent: shorten(unknown),
      expected: shorten([...known].join(', '), 500),
    });
  }
  return [...new Set([...targets, ...audiences])];
}

function knownAudiences({ clients, protectedResources }: AuthorizationServer): ReadonlySet<string> {
  const ofClients = [...clients.values()].flatMap(({ client_id, audience }) => [client_id, ...audience]);
  return new Set([...ofClients, ...protectedResources.map(({ resource }) => resource)]);
}
