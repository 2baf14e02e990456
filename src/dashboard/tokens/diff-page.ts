import type { IssuedEvent } from '../../events/event-log.ts';
import { createStatusOf, type TokenStatus, tokenTypeOf } from '../../flows/token-status.ts';
import { decodeJwt } from '../../text/jwt.ts';
import type { DashboardOptions } from '../dashboard-options.ts';
import { ago } from '../duration.ts';
import { type Moment, momentOf } from '../moment.ts';
import { claimsOf } from '../search/claim-values.ts';
import { type Diff, diffOf, lifetimeOf } from './diff.ts';
import { readableToken } from './jwt.ts';

/** Two tokens side by side: what changed since it worked. */
export interface DiffPage {
  readonly title: string;
  readonly tokenId: string;
  readonly type: string;
  /** The older of the two, and the newer one; absent where there is nothing to compare with. */
  readonly pair?: { readonly before: Side; readonly after: Side };
  readonly claims?: Diff;
  readonly header?: Diff;
  /** What is no claim: its format, its lifetime, the grant. */
  readonly facts?: Diff;
  /** The token asked for is not in the history. */
  readonly isForgotten: boolean;
  readonly candidates: readonly CandidateGroup[];
}

interface Side {
  readonly tokenId: string;
  readonly status: TokenStatus;
  readonly issued: Moment;
  readonly isThis: boolean;
}

/** Tokens to compare with, as a picker groups them. */
export interface CandidateGroup {
  readonly name: string;
  readonly tokens: readonly { readonly tokenId: string; readonly words: string; readonly chosen: boolean }[];
}

/** `chosen` is an id; without one it is the token before, of the same type, client and user. */
export function diffPage(event: IssuedEvent, chosen: string, desk: DashboardOptions): DiffPage {
  const type = tokenTypeOf(event);
  const others = desk.events
    .latestIssued(Number.POSITIVE_INFINITY)
    .filter(each => each.tokenId !== event.tokenId && tokenTypeOf(each) === type);
  const asked = chosen === '' ? undefined : desk.events.issued(chosen);
  const other = chosen === '' ? previousOf(event, others) : asked;
  return {
    title: `Compare ${event.tokenId}`,
    tokenId: event.tokenId,
    type,
    ...(other === undefined ? {} : comparison(event, other, desk)),
    isForgotten: chosen !== '' && asked === undefined,
    candidates: candidatesOf(event, others, other, desk),
  };
}

/** The one that was issued before it for the same client and user. */
function previousOf(event: IssuedEvent, others: readonly IssuedEvent[]): IssuedEvent | undefined {
  return others.find(each => each.id < event.id && isOfSame(event, each));
}

function isOfSame(event: IssuedEvent, other: IssuedEvent): boolean {
  return other.client_id === event.client_id && other.sub === event.sub;
}

type Comparison = Required<Pick<DiffPage, 'pair' | 'claims' | 'header' | 'facts'>>;

function comparison(event: IssuedEvent, other: IssuedEvent, desk: DashboardOptions): Comparison {
  const [before, after] = other.id < event.id ? [other, event] : [event, other];
  const statusOf = createStatusOf(desk.events, desk.clock());
  const side = (each: IssuedEvent): Side => ({
    tokenId: each.tokenId,
    status: statusOf(each),
    issued: momentOf(each.at, desk.clock()),
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

/** What the server knows besides the claims; all of it where there are none. */
function factsOf(event: IssuedEvent): Readonly<Record<string, unknown>> {
  const isBare = Object.keys(claimsOf(event)).length === 0;
  return {
    lifetime: lifetimeOf(event),
    ...(event.type === 'token.issued' ? { format: event.format, grant_type: event.grant_type } : {}),
    ...(event.type === 'code.issued' ? { redirect_uri: event.redirect_uri } : {}),
    ...(isBare ? { client: event.client_id, user: event.sub ?? 'none', scope: event.scope ?? 'none' } : {}),
  };
}

const mostOfGroup = 20;

function candidatesOf(
  event: IssuedEvent,
  others: readonly IssuedEvent[],
  other: IssuedEvent | undefined,
  { clock }: DashboardOptions,
): CandidateGroup[] {
  const same = others.filter(each => isOfSame(event, each));
  const client = others.filter(each => each.client_id === event.client_id && each.sub !== event.sub);
  const rest = others.filter(each => each.client_id !== event.client_id);
  const groups = [
    ['The same client and user', same],
    ['The same client, another user', client],
    ['Another client', rest],
  ] as const;
  return groups.flatMap(([name, tokens]) => {
    const shown = tokens.filter((each, index) => index < mostOfGroup || each === other);
    if (shown.length === 0) return [];
    return [{ name, tokens: shown.map(each => ({ ...candidate(each, clock()), chosen: each === other })) }];
  });
}

function candidate(event: IssuedEvent, now: number): { readonly tokenId: string; readonly words: string } {
  const { tokenId, sub, client_id, at } = event;
  return { tokenId, words: [tokenId, ...(sub === undefined ? [] : [sub]), client_id, ago(now - at)].join(' · ') };
}
