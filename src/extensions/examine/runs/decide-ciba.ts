import { recallClient } from '../../../protocol/clients/find-client.ts';
import { ping, waitingFor } from '../../../protocol/decoupled/backchannel-authentication.ts';
import { decide } from '../../../protocol/decoupled/pending-authorization.ts';
import type { Issuer } from '../../../sandbox/extension.ts';
import type { CibaAnswer } from '../exam-module.ts';

/** Answers all requests that wait for a user, as the user does on another device (OIDC CIBA §8). */
export async function decideCiba({ server }: Issuer, { sub, isAllowed, isPinged }: CibaAnswer): Promise<void> {
  const session = { auth_time: server.clock(), acr: '0', amr: [] };
  for (const { auth_req_id, request } of await waitingFor(server, sub)) {
    await decide(server, request, isAllowed ? { kind: 'approved', sub, session } : { kind: 'denied' });
    const client = await recallClient(server, request.client_id);
    if (isPinged && client !== undefined) await ping({ server, client, emit: () => {} }, request, auth_req_id);
  }
}
