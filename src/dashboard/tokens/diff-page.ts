import type { IssuedEvent } from '../../base/events/event-log.ts';
import { decodeJwt } from '../../base/text/jwt.ts';
import { createStatusOf, tokenTypeOf } from '../../record/flows/token-status.ts';
import type { DashboardOptions } from '../../sandbox/dashboard.ts';
import { claimsOf, readableToken } from '../claims/claim-values.ts';
import { diffOf, lifetimeOf } from '../claims/diff.ts';
import { momentOf } from '../moment.ts';
import { candidatesOf, isOfSame, tokenWords } from './diff-candidates.ts';

/**
 * Two tokens of any kind side by side: a token and the one of id `chosen`. If `chosen` is empty, the previous token of the same type,
 * client and user.
 */
export function diffPage(event: IssuedEvent, chosen: string, desk: DashboardOptions) {
  const type = tokenTypeOf(event);
  const others = desk.events.latestIssued(Number.POSITIVE_INFINITY).filter(each => each.tokenId !== event.tokenId);
  const asked = chosen === '' ? undefined : desk.events.issued(chosen);
  const other = chosen === '' ? previousOf(event, others) : asked;
  return {
    title: `Compare ${event.tokenId}`,
    tokenId: event.tokenId,
    type,
    // `Access token, alice, frontend`
    words: tokenWords(event),
    ...(other === undefined ? {} : comparison(event, other, desk)),
    // true if the history does not have the requested token
    isForgotten: chosen !== '' && asked === undefined,
    candidates: candidatesOf(event, others, { chosen: other, now: desk.clock() }),
  };
}

/** The token of the same type issued before for the same client and user. */
export function previousOf(event: IssuedEvent, others: readonly IssuedEvent[]): IssuedEvent | undefined {
  const type = tokenTypeOf(event);
  return others.find(each => each.id < event.id && tokenTypeOf(each) === type && isOfSame(event, each));
}

function comparison(event: IssuedEvent, other: IssuedEvent, desk: DashboardOptions) {
  const [before, after] = other.id < event.id ? [other, event] : [event, other];
  const statusOf = createStatusOf(desk.events, desk.clock());
  const side = (each: IssuedEvent) => ({
    tokenId: each.tokenId,
    type: tokenTypeOf(each),
    words: tokenWords(each),
    status: statusOf(each),
    issued: momentOf(each.at, desk.clock()),
    isThis: each.tokenId === event.tokenId,
  });
  return {
    // the older and the newer token
    pair: { before: side(before), after: side(after) },
    claims: diffOf(claimsOf(before), claimsOf(after)),
    header: diffOf(headerOf(before), headerOf(after)),
    facts: diffOf(factsOf(before), factsOf(after)),
  };
}

function headerOf(event: IssuedEvent): Readonly<Record<string, unknown>> {
  return decodeJwt(readableToken(event))?.header ?? {};
}

/** Properties other than claims. Client, user and scope are included only for a token without claims. */
function factsOf(event: IssuedEvent): Readonly<Record<string, unknown>> {
  const isBare = Object.keys(claimsOf(event)).length === 0;
  return {
    lifetime: lifetimeOf(event),
    ...(event.type === 'token.issued' ? { format: event.format, grant_type: event.grant_type } : {}),
    ...(event.type === 'code.issued' ? { redirect_uri: event.redirect_uri } : {}),
    ...(isBare ? { client: event.client_id, user: event.sub ?? 'none', scope: event.scope ?? 'none' } : {}),
  };
}
