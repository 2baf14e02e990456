import { hash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import type { EventOf, SandboxEvent } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { decodeJwt } from '../../base/text/jwt.ts';
import { limits } from './limits.ts';
import type { Message, MessageData } from './message.ts';

/** Issued and revoked tokens. A token is named by its `jti` or its hash, never by its value. */
export function tokenMessages(event: SandboxEvent, events: EventLog): readonly Message[] {
  if (event.type === 'token.issued') {
    const { client_id, sub, scope, grant_type, iat, exp, authorizationId, minted } = event;
    const facts = { client_id, grant_type, authorizationId, iat, exp };
    return [['token.issued', { ...nameOf(event), ...facts, ...defined({ sub, scope, minted }) }]];
  }
  if (event.type !== 'token.revoked') return [];
  const { client_id, reason, authorizationId } = event;
  const before = events.ofAuthorization(authorizationId);
  const issued = before.filter((each): each is EventOf<'token.issued'> => each.type === 'token.issued');
  const tokens = issued.slice(-limits.tokens).map(nameOf);
  return [['token.revoked', { client_id, reason, authorizationId, tokens }]];
}

/** `hash` is the SHA-256 of the token in base64url. */
function nameOf({ tokenType, format, token, signed }: EventOf<'token.issued'>): MessageData {
  const jti = decodeJwt(signed ?? token)?.claims.jti;
  const named = typeof jti === 'string' ? { jti } : {};
  return { token_type: tokenType, format, ...named, hash: hash('sha256', token, 'base64url') };
}
