import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog, IssuedEvent } from '../../base/events/event-log.ts';
import { lineageOf } from '../../protocol/kept-authorizations.ts';
import { createStatusOf } from '../../record/flows/token-status.ts';
import { momentOf } from '../moment.ts';
import { branchOf } from './family-branch.ts';

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
    // `The login issued:`
    words: wordsFor(roots[0] ?? event),
    branches: shown.map(each => branchOf(each, tree)),
    // roots that are not shown because there are too many
    omitted: roots.length - shown.length,
    // revocations of the family or a part of it
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

/** Ids of a token and its ancestors. */
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
  if (first.parentTokenId !== undefined) return 'The login is no longer in the history. Its remaining tokens:';
  return first.type === 'code.issued' ? 'The login issued:' : (grantWords[first.grant_type] ?? 'The login issued:');
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
