import * as v from 'valibot';
import { defined } from '../../../../base/defined.ts';
import type { IssuedEvent } from '../../../../base/events/event-log.ts';
import { firstMatching, inTurns } from '../../../../base/turns.ts';
import { createStatusOf, tokenStatuses, tokenTypeOf } from '../../../../record/flows/token-status.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import type { Control } from '../../create-control.ts';
import { described, optional, text } from '../../described.ts';
import { eventFilter } from '../../events/event-filter.ts';
import { decodedToken } from '../../events/event-search.ts';
import { unknownEntry } from '../../refusal.ts';
import type { Controlled } from '../controlled.ts';
import { type Operation, operation } from '../operation.ts';
import { wholeNumber } from '../query-values.ts';

const token = v.looseObject({
  id: described(v.number(), 'Event id: use it as `before` for the next page'),
  tokenId: v.string(),
  tokenType: v.picklist(['code', 'access', 'refresh', 'id']),
  status: v.picklist(tokenStatuses),
  token: text('The token as the client received it'),
  client_id: v.string(),
  sub: v.optional(v.string()),
  scope: v.optional(v.string()),
  authorizationId: text('Id of the authorization that the token belongs to'),
  iat: v.number(),
  exp: v.number(),
});
const unknown = { description: 'No such token is in the history' };

/** Codes and tokens that were issued, and what can be done to them. */
export const tokenOperations: readonly Operation[] = [
  operation({
    name: 'listTokens',
    method: 'GET',
    path: '/tokens',
    summary: 'List issued codes and tokens, newest first',
    query: v.strictObject({
      q: optional(v.string(), 'A search as for /events: `client:frontend user:alice claim.role:admin`'),
      before: v.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER, 'Only tokens before this event id, for paging')),
      limit: v.optional(wholeNumber(1, 1000, 'Most entries to return. Default: 100')),
    }),
    answers: {
      200: { description: 'Codes and tokens', schema: v.object({ tokens: v.array(token) }) },
      400: { description: 'The query has an error, or a value is out of range' },
    },
    async run({ query: { q, before, limit = 100 } }, controlled) {
      const isAsked = eventFilter({ q }, controlled.server.clock());
      const all = controlled.events.latestIssued(Number.POSITIVE_INFINITY, before);
      const factsOf = createFacts(controlled);
      const found = await inTurns(firstMatching(all, isAsked, limit));
      return jsonAnswer(200, { tokens: found.map(factsOf) });
    },
  }),
  operation({
    name: 'getToken',
    method: 'GET',
    path: '/tokens/{token_id}',
    summary: 'Read a token and its claims',
    answers: { 200: { description: 'The token', schema: token }, 404: unknown },
    async run({ path: { token_id: id = '' } }, controlled) {
      const issued = issuedAs(id, controlled);
      const claims = decodedToken(issued);
      return jsonAnswer(200, { ...createFacts(controlled)(issued), ...defined({ claims }) });
    },
  }),
  ending('expire', 'Treat a token as expired from now on, at the issuer and the sample backend', 'expireToken'),
  ending('resume', 'Undo expire: the token is valid until its own expiry', 'resumeToken'),
  ending('revoke', 'Revoke a token and all tokens of the same authorization (RFC 7009)', 'revokeToken'),
];

function ending(
  name: 'expire' | 'resume' | 'revoke',
  summary: string,
  does: 'expireToken' | 'resumeToken' | 'revokeToken',
): Operation {
  return operation({
    name: does,
    method: 'POST',
    path: `/tokens/{token_id}/${name}`,
    changes: true,
    summary,
    answers: { 200: { description: 'The token after the change', schema: token }, 404: unknown },
    async run({ path: { token_id: id = '' } }, controlled) {
      const doing: Pick<Control, typeof does> = controlled.control;
      const issued = issuedAs(id, controlled);
      await doing[does](id);
      return jsonAnswer(200, createFacts(controlled)(issued));
    },
  });
}

/** @throws invalid_request with 404 */
function issuedAs(id: string, { events }: Controlled): IssuedEvent {
  const issued = events.issued(id);
  if (issued !== undefined) return issued;
  throw unknownEntry(
    'token',
    id,
    events.latestIssued(200).map(({ tokenId }) => tokenId),
  );
}

function createFacts({ events, server }: Controlled): (issued: IssuedEvent) => object {
  const statusOf = createStatusOf(events, server.clock());
  return issued => {
    const { type: _, at: __, claims: ___, ...facts } = { claims: undefined, ...issued };
    return { ...facts, tokenType: tokenTypeOf(issued), status: statusOf(issued) };
  };
}
