import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog, IssuedEvent } from '../../base/events/event-log.ts';
import { isIssued } from '../../base/events/event-memory.ts';
import type { Pieces } from '../../base/turns/in-turns.ts';
import { firstMatching } from '../../base/turns/matching.ts';
import { createStatusOf } from '../../record/flows/token-status.ts';
import type { Desk } from '../desk.ts';
import { loginRow, type TokenLogin } from './login-row.ts';
import { createMatcher, type Filter } from './token-search.ts';

/** The most logins a page shows: each can have a dozen tokens, and the page stays below 120 kB. */
const mostLogins = 50;

interface Asked {
  readonly filter: Filter;
  /** Only logins whose newest matching token has a smaller event id. */
  readonly before?: number | undefined;
  /** Only logins to which something happened after this event. */
  readonly after?: number | undefined;
}

/** Lists tokens grouped by their login or other grant; each token is a piece. */
export function* listLogins(desk: Desk, { filter, before, after = 0 }: Asked) {
  const { events, flows, clock } = desk;
  const now = clock();
  const statusOf = createStatusOf(events, now);
  const isWanted = createMatcher(filter, { statusOf, flowOf: ({ tokenId }) => flows.ofToken(tokenId)?.id }, now);
  const touched = after > 0 ? touchedSince(events, after) : undefined;
  const found = yield* newestOfLogins(events, { isWanted, before, touched });
  const shown = found.slice(0, mostLogins);
  return {
    // the login with the newest token comes first
    rows: shown.map(event => loginRow(loginOf(events, event), { desk, statusOf, now })),
    // where the next page starts; undefined on the last one
    before: found.length > mostLogins ? shown.at(-1)?.id : undefined,
  };
}

interface Wanted {
  readonly isWanted: (event: IssuedEvent) => boolean;
  readonly before: number | undefined;
  /** Authorization ids; absent for all. */
  readonly touched: ReadonlySet<string> | undefined;
}

/** The newest matching token of each login. */
function* newestOfLogins(events: EventLog, { isWanted, before, touched }: Wanted): Pieces<IssuedEvent[]> {
  const seen = new Set<string>();
  const isFirst = (event: IssuedEvent) => {
    const { authorizationId } = event;
    if (seen.has(authorizationId) || touched?.has(authorizationId) === false || !isWanted(event)) return false;
    seen.add(authorizationId);
    return before === undefined || !issuedIn(events, authorizationId).some(each => each.id >= before && isWanted(each));
  };
  return yield* firstMatching(events.latestIssued(Number.POSITIVE_INFINITY, before), isFirst, mostLogins + 1);
}

function touchedSince(events: EventLog, after: number): ReadonlySet<string> {
  return new Set(events.keptSince(after).flatMap(event => (changesLogin(event) ? [event.authorizationId] : [])));
}

const changes = ['token.issued', 'code.issued', 'token.revoked', 'token.ended', 'token.resumed'] as const;
type Change = Extract<SandboxEvent, { type: (typeof changes)[number] }>;

function changesLogin(event: SandboxEvent): event is Change {
  return changes.some(type => type === event.type);
}

function issuedIn(events: EventLog, authorizationId: string): IssuedEvent[] {
  return events.ofAuthorization(authorizationId).filter(isIssued);
}

function loginOf(events: EventLog, newest: IssuedEvent): TokenLogin {
  const happened = events.ofAuthorization(newest.authorizationId);
  return {
    newest,
    tokens: happened.filter(isIssued),
    revocation: happened.findLast(event => event.type === 'token.revoked'),
  };
}
