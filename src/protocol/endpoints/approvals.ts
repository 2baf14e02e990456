import type { AuthorizationServer } from '../authorization-server.ts';
import { recallClient } from '../clients/find-client.ts';
import { type BackchannelAuthentication, ping, waitingFor } from '../decoupled/backchannel-authentication.ts';
import { type Decision, decide } from '../decoupled/pending-authorization.ts';
import { rejectUnreadable, requiredParameter } from '../parameters.ts';
import { reachableAcr } from '../requests/acr.ts';
import type { Session } from '../users/session.ts';
import type { ApprovalsPage, EndpointRequest, Reply } from './endpoint.ts';
import { askedBy, forSignedIn } from './own-page-session.ts';

/** The authentication device (OIDC CIBA §8): shows the user the pending requests of clients, to allow or deny. */
export async function approvals(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  rejectUnreadable(request.parameters);
  return forSignedIn(server, request, 'approvals', async session => {
    const outcome = request.method === 'POST' ? await settle(server, request, session) : undefined;
    return listPage(server, session, outcome);
  });
}

async function settle(
  server: AuthorizationServer,
  request: EndpointRequest,
  session: Session,
): Promise<ApprovalsPage['outcome']> {
  const id = requiredParameter(request.parameters, 'request');
  const isAllowed = requiredParameter(request.parameters, 'decision') === 'allow';
  const found = (await waitingFor(server, session.sub)).find(entry => entry.request.id === id);
  const client = found === undefined ? undefined : await recallClient(server, found.request.client_id);
  if (found === undefined || client === undefined) return { decision: 'gone' };
  const { auth_req_id, request: asked } = found;
  const decision = isAllowed ? approval(server, session, asked) : ({ kind: 'denied' } as const);
  if (!(await decide(server, asked, decision))) return { client, decision: 'gone' };
  const facts = { authorizationId: asked.id, client_id: asked.client_id, sub: session.sub };
  request.emit({ type: isAllowed ? 'ciba.approved' : 'ciba.denied', ...facts });
  await ping({ server, client, emit: request.emit }, asked, auth_req_id);
  return { client, decision: decision.kind };
}

/** Sandbox: assumes, as the login does, that the user met the first of the `acr_values`. */
function approval(
  server: AuthorizationServer,
  { sub, auth_time, acr, amr, edited }: Session,
  { acr_values }: BackchannelAuthentication,
): Decision {
  const reachable = reachableAcr(server, { acr_values });
  const [best = acr] = reachable;
  const met = reachable.includes(acr) ? acr : best;
  return { kind: 'approved', sub, session: { auth_time, acr: met, amr }, edited };
}

async function listPage(
  server: AuthorizationServer,
  session: Session,
  outcome: ApprovalsPage['outcome'],
): Promise<Reply> {
  const open = await waitingFor(server, session.sub);
  const waiting = await Promise.all(open.map(({ request }) => shown(server, request)));
  const still = waiting.filter(each => each !== undefined);
  return { kind: 'page', page: { name: 'approvals', session, waiting: still, outcome } };
}

async function shown(server: AuthorizationServer, request: BackchannelAuthentication) {
  const asked = await askedBy(server, request);
  if (asked === undefined) return undefined;
  const { id, binding_message } = request;
  return { ...asked, id, binding_message };
}
