import type { SandboxEvent, TokenType } from '../../base/events/event.ts';
import type { EventLog, IssuedEvent } from '../../base/events/event-log.ts';
import { lineageOf } from '../../protocol/kept-authorizations.ts';

/** The statuses of a token, as shown and filtered. */
export const tokenStatuses = ['valid', 'expired', 'revoked', 'replaced', 'used'] as const;
/** `replaced`: a rotated refresh token. `used`: a redeemed code. */
export type TokenStatus = (typeof tokenStatuses)[number];

/** `code`, `access`, `refresh` or `id`. */
export function tokenTypeOf(event: IssuedEvent): TokenType {
  return event.type === 'code.issued' ? 'code' : event.tokenType;
}

const typeNames = {
  code: 'Authorization code',
  access: 'Access token',
  refresh: 'Refresh token',
  id: 'ID token',
} as const;

/** `Access token for alice`. */
export function tokenTitle(event: IssuedEvent): string {
  return `${typeNames[tokenTypeOf(event)]} for ${event.sub ?? `client ${event.client_id}`}`;
}

interface Aftermath {
  readonly parents: ReadonlySet<string>;
  readonly replaced: ReadonlySet<string>;
  readonly ended: ReadonlySet<string>;
  /** Event id of the latest revocation, 0 for none. */
  readonly revokedAt: number;
}

/**
 * Derives the status of tokens from later events. A redeemed code is used, and a rotated refresh token is replaced. A revocation ends
 * all earlier tokens of the authorization, and tokens that were exchanged for them. An ID token cannot be revoked. A manually expired
 * token is expired. The result caches each authorization, so create it anew for each response; `now` is in Unix seconds.
 */
export function createStatusOf(events: EventLog, now: number): (event: IssuedEvent) => TokenStatus {
  const known = new Map<string, Aftermath>();

  function aftermathOf(authorizationId: string): Aftermath {
    const aftermath = known.get(authorizationId) ?? readAftermath(events, authorizationId);
    known.set(authorizationId, aftermath);
    return aftermath;
  }

  return event => {
    const type = tokenTypeOf(event);
    const { parents, replaced, ended } = aftermathOf(event.authorizationId);
    const revokedAt = Math.max(...lineageOf(event.authorizationId).map(id => aftermathOf(id).revokedAt));
    if (type === 'code' && parents.has(event.tokenId)) return 'used';
    if (type !== 'id' && revokedAt > event.id) return 'revoked';
    if (type === 'refresh' && replaced.has(event.tokenId)) return 'replaced';
    return now >= event.exp || ended.has(event.tokenId) ? 'expired' : 'valid';
  };
}

/** The event that manually expired the token; undefined if there is none or it was undone. */
export function endOf(events: EventLog, { authorizationId, tokenId }: IssuedEvent): SandboxEvent | undefined {
  const about = events
    .ofAuthorization(authorizationId)
    .filter(event => isEnd(event) && event.tokenId === tokenId)
    .at(-1);
  return about?.type === 'token.ended' ? about : undefined;
}

function readAftermath(events: EventLog, authorizationId: string): Aftermath {
  const parents = new Set<string>();
  const replaced = new Set<string>();
  const ended = new Set<string>();
  let revokedAt = 0;
  for (const event of events.ofAuthorization(authorizationId)) {
    if (event.type === 'token.revoked') revokedAt = event.id;
    if (event.type === 'token.ended') ended.add(event.tokenId);
    if (event.type === 'token.resumed') ended.delete(event.tokenId);
    const parent = event.type === 'token.issued' || event.type === 'code.issued' ? event.parentTokenId : undefined;
    if (parent === undefined) continue;
    parents.add(parent);
    if (event.type === 'token.issued' && event.tokenType === 'refresh') replaced.add(parent);
  }
  return { parents, replaced, ended, revokedAt };
}

function isEnd(event: SandboxEvent): event is Extract<SandboxEvent, { type: 'token.ended' | 'token.resumed' }> {
  return event.type === 'token.ended' || event.type === 'token.resumed';
}
