import type { IssuedEvent } from '../../base/events/event-log.ts';
import { ago } from '../../base/text/duration.ts';
import { decodeJwt } from '../../base/text/jwt.ts';
import { createStatusOf, tokenTypeOf } from '../../record/flows/token-status.ts';
import { claimsOf, readableToken } from '../claims/claim-values.ts';
import { diffOf, lifetimeOf } from '../claims/diff.ts';
import type { DashboardFacts } from '../facts.ts';
import { momentOf } from '../moment.ts';

/**
 * Two tokens of any kind side by side: a token and the one of id `chosen`. If `chosen` is empty, the previous token of the same type,
 * client and user.
 */
export function diffPage(event: IssuedEvent, chosen: string, context: DashboardFacts) {
  const type = tokenTypeOf(event);
  const others = context.events.latestIssued(Number.POSITIVE_INFINITY).filter(each => each.tokenId !== event.tokenId);
  const asked = chosen === '' ? undefined : context.events.issued(chosen);
  const other = chosen === '' ? previousOf(event, others) : asked;
  return {
    title: `Compare ${event.tokenId}`,
    tokenId: event.tokenId,
    type,
    words: tokenWords(event),
    ...(other === undefined ? {} : comparison(event, other, context)),
    isForgotten: chosen !== '' && asked === undefined,
    candidates: candidatesOf(event, others, { chosen: other, now: context.clock() }),
  };
}

/** The token of the same type issued before for the same client and user. */
export function previousOf(event: IssuedEvent, others: readonly IssuedEvent[]): IssuedEvent | undefined {
  const type = tokenTypeOf(event);
  return others.find(each => each.id < event.id && tokenTypeOf(each) === type && isOfSame(event, each));
}

function comparison(event: IssuedEvent, other: IssuedEvent, context: DashboardFacts) {
  const [before, after] = other.id < event.id ? [other, event] : [event, other];
  const statusOf = createStatusOf(context.events, context.clock());
  const side = (each: IssuedEvent) => ({
    tokenId: each.tokenId,
    type: tokenTypeOf(each),
    words: tokenWords(each),
    status: statusOf(each),
    issued: momentOf(each.at, context.clock()),
    isThis: each.tokenId === event.tokenId,
  });
  return {
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

interface Picking {
  readonly chosen?: IssuedEvent | undefined;
  /** Unix seconds. */
  readonly now: number;
}

const mostOfGroup = 20;

function candidatesOf(event: IssuedEvent, others: readonly IssuedEvent[], { chosen, now }: Picking) {
  const groups = new Map<string, IssuedEvent[]>(groupNames.map(name => [name, []]));
  for (const other of others) groups.get(groupOf(event, other))?.push(other);
  return [...groups].flatMap(([name, tokens]) => {
    const shown = tokens.filter((each, index) => index < mostOfGroup || each === chosen);
    if (shown.length === 0) return [];
    return [{ name, tokens: shown.map(each => candidate(each, now, each === chosen)) }];
  });
}

const groupNames = ['Same sign-in', 'Same client and user', 'Same client, different user', 'Different client'] as const;

function groupOf(event: IssuedEvent, other: IssuedEvent): (typeof groupNames)[number] {
  if (other.authorizationId === event.authorizationId) return 'Same sign-in';
  if (isOfSame(event, other)) return 'Same client and user';
  return other.client_id === event.client_id ? 'Same client, different user' : 'Different client';
}

function isOfSame(event: IssuedEvent, other: IssuedEvent): boolean {
  return other.client_id === event.client_id && other.sub === event.sub;
}

function candidate(event: IssuedEvent, now: number, chosen: boolean) {
  const time = momentOf(event.at, now).absolute.slice(11, 19);
  return { tokenId: event.tokenId, words: `${tokenWords(event)}, ${time} (${ago(now - event.at)})`, chosen };
}

const typeNames = { code: 'Code', access: 'Access token', refresh: 'Refresh token', id: 'ID token' } as const;

/** `Access token, alice, frontend`. */
function tokenWords(event: IssuedEvent): string {
  const { sub, client_id } = event;
  return [typeNames[tokenTypeOf(event)], ...(sub === undefined ? [] : [sub]), client_id].join(', ');
}

const mostQuick = 4;

/** Links to the likely comparisons: the newest access and ID token of the same login, and the token issued before. */
export function quickCandidates(
  event: IssuedEvent,
  sameLogin: readonly IssuedEvent[],
  previous: IssuedEvent | undefined,
) {
  const own = sameLogin.filter(each => each.tokenId !== event.tokenId && ['access', 'id'].includes(tokenTypeOf(each)));
  const newest = new Map(own.map(each => [tokenTypeOf(each), each]));
  const quick = [...newest.values()].map(each => ({
    tokenId: each.tokenId,
    words: `${typeNames[tokenTypeOf(each)]} of this sign-in`,
  }));
  const isListed = quick.some(({ tokenId }) => tokenId === previous?.tokenId);
  const before =
    previous === undefined || isListed ? [] : [{ tokenId: previous.tokenId, words: 'Previous token of this type' }];
  return [...quick, ...before].slice(0, mostQuick);
}
