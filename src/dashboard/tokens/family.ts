import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog, IssuedEvent } from '../../base/events/event-log.ts';
import { ago } from '../../base/text/duration.ts';
import { lineageOf } from '../../protocol/kept-authorizations.ts';
import { createStatusOf, type TokenStatus, tokenTypeOf } from '../../record/flows/token-status.ts';
import { momentOf } from '../moment.ts';

/** All codes and tokens that come from one grant, including refreshed and exchanged ones. */
export type Family = ReturnType<typeof familyOf>;

const mostRoots = 8;

/** The family of a token: all tokens of its authorization, and of authorizations linked to it by token exchange. */
export function familyOf(events: EventLog, event: IssuedEvent, now: number) {
  const [root = event.authorizationId] = lineageOf(event.authorizationId);
  const members = events
    .latestIssued(Number.POSITIVE_INFINITY)
    .filter(each => lineageOf(each.authorizationId)[0] === root)
    .reverse();
  const known = new Map(members.map(each => [each.tokenId, each]));
  const roots = members.filter(({ parentTokenId }) => parentTokenId === undefined || !known.has(parentTokenId));
  const tree = {
    events,
    now,
    current: event,
    childrenOf: childrenByParent(members),
    path: pathTo(event, known),
    statusOf: createStatusOf(events, now),
  };
  const shown = roots.filter(each => tree.path.has(each.tokenId) || roots.indexOf(each) < mostRoots);
  return {
    words: wordsFor(roots[0] ?? event),
    branches: shown.map(each => branchOf(each, tree)),
    omitted: roots.length - shown.length,
    revocations: revocationsOf(events, members, now),
    // true if the first tokens are not in the history any more
    isCut: roots.some(({ parentTokenId }) => parentTokenId !== undefined),
  };
}

function childrenByParent(members: readonly IssuedEvent[]): ReadonlyMap<string, readonly IssuedEvent[]> {
  const children = new Map<string, IssuedEvent[]>();
  for (const each of members) {
    if (each.parentTokenId === undefined) continue;
    const siblings = children.get(each.parentTokenId);
    if (siblings === undefined) children.set(each.parentTokenId, [each]);
    else siblings.push(each);
  }
  return children;
}

function pathTo(event: IssuedEvent, known: ReadonlyMap<string, IssuedEvent>): ReadonlySet<string> {
  const path = new Set<string>();
  for (let at: IssuedEvent | undefined = event; at !== undefined && !path.has(at.tokenId); ) {
    path.add(at.tokenId);
    at = at.parentTokenId === undefined ? undefined : known.get(at.parentTokenId);
  }
  return path;
}

const grantWords: Readonly<Record<string, string>> = {
  mint: 'Minted without a grant:',
  client_credentials: 'The client itself received:',
  password: 'The password grant issued:',
  'urn:ietf:params:oauth:grant-type:device_code': 'The device grant issued:',
  'urn:openid:params:grant-type:ciba': 'The approval issued:',
  'urn:ietf:params:oauth:grant-type:jwt-bearer': 'The assertion grant issued:',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'The token exchange issued:',
};

function wordsFor(first: IssuedEvent): string {
  if (first.parentTokenId !== undefined) return 'The sign-in is no longer in the history. Its remaining tokens:';
  return first.type === 'code.issued' ? 'The sign-in issued:' : (grantWords[first.grant_type] ?? 'The sign-in issued:');
}

type Revoked = Extract<SandboxEvent, { type: 'token.revoked' }>;

/** Why the tokens of an authorization were revoked. */
export const revocationWords: Readonly<Record<Revoked['reason'], string>> = {
  code_replayed: 'code used twice',
  refresh_token_reused: 'refresh token used twice',
  revoked_by_client: 'by the client',
  revoked_by_owner: 'here in the sandbox',
  session_ended: 'session ended',
};

function revocationsOf(events: EventLog, members: readonly IssuedEvent[], now: number) {
  return [...new Set(members.map(({ authorizationId }) => authorizationId))]
    .flatMap(id => events.ofAuthorization(id))
    .filter((each): each is Revoked => each.type === 'token.revoked')
    .slice(-5)
    .map(({ reason, requestId, at }) => ({ words: revocationWords[reason], requestId, at: momentOf(at, now) }));
}

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

interface Tree {
  readonly events: EventLog;
  readonly now: number;
  readonly current: IssuedEvent;
  readonly childrenOf: ReadonlyMap<string, readonly IssuedEvent[]>;
  readonly path: ReadonlySet<string>;
  readonly statusOf: (event: IssuedEvent) => TokenStatus;
}

const mostChildren = 6;
/** Generations shown below the selected token, and beside its path. */
const below = 3;
const beside = 1;
/** Generations shown directly above the selected token, in addition to the first one. */
const nearest = 4;

function branchOf(event: IssuedEvent, tree: Tree): FamilyBranch {
  return grown(event, tree, { depth: 0, left: beside, skipped: 0 });
}

interface Generation {
  readonly depth: number;
  readonly left: number;
  readonly skipped: number;
}

function grown(event: IssuedEvent, tree: Tree, { depth, left, skipped }: Generation): FamilyBranch {
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

function chosen(children: readonly IssuedEvent[], path: ReadonlySet<string>): readonly IssuedEvent[] {
  const newest = new Set(children.slice(-mostChildren));
  return children.filter(child => newest.has(child) || path.has(child.tokenId));
}

function next(child: IssuedEvent, tree: Tree, { depth, left }: Omit<Generation, 'skipped'>): FamilyBranch {
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

function notesOf({ tokenId }: IssuedEvent, { events, now }: Tree): string[] {
  const refused = events.ofToken(tokenId).flatMap(event => {
    const words = event.type === 'error.returned' ? again[event.reason] : undefined;
    return words === undefined ? [] : [`${words} ${ago(now - event.at)}: refused`];
  });
  return refused.slice(-mostNotes);
}
