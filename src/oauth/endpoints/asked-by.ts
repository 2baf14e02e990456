import type { AuthorizationServer } from '../authorization-server.ts';
import { recallClient } from '../clients/find-client.ts';
import type { PendingAuthorization } from '../decoupled/pending-authorization.ts';
import type { Asked } from './decision-pages.ts';

/** What is shown of a pending authorization; undefined where its client is not registered any more. */
export async function askedBy(server: AuthorizationServer, pending: PendingAuthorization): Promise<Asked | undefined> {
  const { client_id, scopes, resources, authorization_details = [], exp } = pending;
  const client = await recallClient(server, client_id);
  if (client === undefined) return undefined;
  return { client, scopes, resources, authorization_details, expiresIn: exp - server.clock() };
}
