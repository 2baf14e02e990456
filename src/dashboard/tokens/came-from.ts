import { defined } from '../../base/defined.ts';
import type { IssuedEvent } from '../../base/events/event-log.ts';
import { isIssued } from '../../base/events/event-memory.ts';
import { displayName } from '../../protocol/users/user.ts';
import { flowKindWords } from '../../record/flows/flow-words.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { accountOf, registeredClient } from '../clients-and-users.ts';
import type { DashboardOptions } from '../dashboard-options.ts';
import type { Desk } from '../desk.ts';

/** The part of the dashboard that the page of a token uses. */
export type TokenDesk = DashboardOptions & Pick<Desk, 'flows'>;

/** The origin of a token: request, flow, client, user, grant, and the tokens issued with it. */
export function cameFrom(event: IssuedEvent, desk: TokenDesk) {
  const { events, flows } = desk;
  const { requestId, tokenId } = event;
  const happened = events.ofRequest(requestId);
  const request = happened.find(each => each.type === 'request.completed');
  const siblings = happened.filter(isIssued).filter(each => each.tokenId !== tokenId);
  const flow = flows.ofToken(tokenId);
  const user = event.sub === undefined ? undefined : accountOf(desk, event.sub);
  return {
    requestId,
    ...(flow === undefined ? {} : { flow: flowFacts(flow, requestId) }),
    // `POST /oauth2/token`; empty if the request is not in the history any more
    request: request === undefined ? '' : `${request.method} ${request.path}`,
    siblings: siblings.map(each => ({ tokenId: each.tokenId, type: tokenTypeOf(each) })),
    // empty if the client is not registered any more
    clientName: registeredClient(desk, event.client_id)?.client_name ?? '',
    userName: user === undefined ? '' : displayName(user),
    ...grantOf(event),
    ...(event.type === 'code.issued' ? { redirectUri: event.redirect_uri } : {}),
  };
}

function flowFacts({ id, kind, steps }: NonNullable<ReturnType<Desk['flows']['ofToken']>>, requestId: string) {
  const step = steps.findIndex(each => each.requestId === requestId) + 1;
  return { id, words: flowKindWords[kind], step, steps: steps.length };
}

function grantOf(event: IssuedEvent) {
  if (event.type === 'code.issued') return { grant: 'authorization_code' };
  return { grant: event.grant_type, ...defined({ began: event.began }) };
}
