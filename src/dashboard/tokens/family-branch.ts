import type { EventLog, IssuedEvent } from '../../base/events/event-log.ts';
import { ago } from '../../base/text/duration.ts';
import { type TokenStatus, tokenTypeOf } from '../../record/flows/token-status.ts';

/** A code or token of a family, with the tokens obtained with it. */
export interface FamilyBranch {
  readonly tokenId: string;
  readonly type: string;
  readonly status: TokenStatus;
  readonly current: boolean;
  /** Present only if it differs from the client of the selected token. */
  readonly client_id?: string;
  /** `used again 12 s ago: refused`. */
  readonly notes: readonly string[];
  /** `was redeemed for`; empty if no token was obtained with it. */
  readonly gave: string;
  readonly children: readonly FamilyBranch[];
  /** Number of direct children that are not shown. */
  readonly omitted: number;
  /** Number of generations between the parent shown and this branch that are left out. */
  readonly skipped: number;
}

/** Data that every branch of a family shares. */
interface Tree {
  readonly events: EventLog;
  readonly now: number;
  readonly current: IssuedEvent;
  readonly childrenOf: ReadonlyMap<string, readonly IssuedEvent[]>;
  /** Ids of the selected token and its ancestors. */
  readonly path: ReadonlySet<string>;
  readonly statusOf: (event: IssuedEvent) => TokenStatus;
}

const mostChildren = 6;
/** Generations shown below the selected token, and beside its path. */
const below = 3;
const beside = 1;
/** Generations shown directly above the selected token, in addition to the first one. */
const nearest = 4;

/** The branch of a token that is on the path, or has no parent. */
export function branchOf(event: IssuedEvent, tree: Tree): FamilyBranch {
  return grown(event, tree, { depth: 0, left: beside, skipped: 0 });
}

interface Place {
  /** Distance from the root. */
  readonly depth: number;
  /** Generations that may still be shown off the path. */
  readonly left: number;
  readonly skipped: number;
}

function grown(event: IssuedEvent, tree: Tree, { depth, left, skipped }: Place): FamilyBranch {
  const { current, path, childrenOf, statusOf } = tree;
  const isCurrent = event.tokenId === current.tokenId;
  const isOnPath = path.has(event.tokenId);
  const room = isCurrent ? below : isOnPath ? beside : left;
  const children = childrenOf.get(event.tokenId) ?? [];
  const shown = room === 0 ? [] : chosen(children, path);
  return {
    tokenId: event.tokenId,
    type: tokenTypeOf(event),
    status: statusOf(event),
    current: isCurrent,
    ...(event.client_id === current.client_id ? {} : { client_id: event.client_id }),
    notes: notesOf(event, tree),
    gave: children.length === 0 ? '' : gaveWords(event, children),
    children: shown.map(child => next(child, tree, { depth: depth + 1, left: room - 1 })),
    omitted: children.length - shown.length,
    skipped,
  };
}

/** The newest children, and the one that leads to the selected token. */
function chosen(children: readonly IssuedEvent[], path: ReadonlySet<string>): readonly IssuedEvent[] {
  const newest = new Set(children.slice(-mostChildren));
  return children.filter(child => newest.has(child) || path.has(child.tokenId));
}

/** Skips the middle generations of a long path. */
function next(child: IssuedEvent, tree: Tree, { depth, left }: Omit<Place, 'skipped'>): FamilyBranch {
  const { path, childrenOf } = tree;
  const far = path.has(child.tokenId) ? path.size - nearest - depth : 0;
  if (far <= 1) return grown(child, tree, { depth, left, skipped: 0 });
  let at = child;
  for (let step = 0; step < far; step++) {
    at = childrenOf.get(at.tokenId)?.find(each => path.has(each.tokenId)) ?? at;
  }
  return grown(at, tree, { depth: depth + far, left, skipped: far });
}

function gaveWords(event: IssuedEvent, children: readonly IssuedEvent[]): string {
  if (event.type === 'code.issued') return 'was redeemed for';
  if (children.every(child => child.authorizationId !== event.authorizationId)) return 'was exchanged for';
  return event.tokenType === 'refresh' ? 'was refreshed, which issued' : 'issued';
}

const again: Readonly<Record<string, string>> = {
  code_replayed: 'used again',
  refresh_token_reused: 'used again',
  token_ended: 'used after it was expired manually',
  api_token_ended: 'used after it was expired manually',
  access_token_revoked: 'used after it was revoked',
  api_token_inactive: 'used when it was no longer active',
  access_token_expired: 'used after it expired',
  api_token_expired: 'used after it expired',
};

const mostNotes = 3;

/** Notes about refused uses, the latest three. */
function notesOf({ tokenId }: IssuedEvent, { events, now }: Tree): string[] {
  const refused = events.ofToken(tokenId).flatMap(event => {
    const words = event.type === 'error.returned' ? again[event.reason] : undefined;
    return words === undefined ? [] : [`${words} ${ago(now - event.at)}: refused`];
  });
  return refused.slice(-mostNotes);
}
