import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import type { Session } from './session.ts';
import { subjectFor } from './subject.ts';

/**
 * The `sub` of whom the `claims` parameter names as the only user to answer for (OIDC Core §5.5.1). Undefined where it
 * names nobody; the empty one, which nobody has, where it names somebody unknown.
 */
export function claimedUser(
  server: AuthorizationServer,
  client: RegisteredClient,
  { claims }: AuthorizationRequest,
  session: Session | undefined,
): string | undefined {
  const request = claims?.id_token?.sub ?? claims?.userinfo?.sub;
  const wanted = request?.values ?? (request?.value === undefined ? [] : [request.value]);
  if (wanted.length === 0) return undefined;
  const isWanted = (sub: string) => wanted.includes(subjectFor(server, client, sub));
  if (session !== undefined && isWanted(session.sub)) return session.sub;
  return [...server.users.keys()].find(isWanted) ?? '';
}
