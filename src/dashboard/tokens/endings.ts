import type { IssuedEvent } from '../../events/event-log.ts';
import { type TokenStatus, tokenTypeOf } from '../../flows/token-status.ts';
import type { DashboardOptions } from '../dashboard-options.ts';
import { momentOf } from '../moment.ts';

/** How a token can be ended from here, and what that does. */
export interface Endings {
  /** Absent where it is over already. */
  readonly expire?: string;
  /** Absent for what cannot be revoked. */
  readonly revoke?: string;
  /** It was ended before its time, and that can be taken back. */
  readonly canResume: boolean;
}

interface Ending {
  readonly event: IssuedEvent;
  readonly status: TokenStatus;
  readonly isEnded: boolean;
  readonly now: number;
}

type Rules = Pick<DashboardOptions, 'api'>;

export function endingsOf({ event, status, isEnded, now }: Ending, options: Rules): Endings {
  if (status !== 'valid') return { canResume: isEnded && status === 'expired' && now < event.exp };
  return {
    expire: expiredWords(event),
    ...(tokenTypeOf(event) === 'id' ? {} : { revoke: revokedWords(event, options) }),
    canResume: false,
  };
}

/** Who takes an ended token for expired, and who does not notice. */
export function expiredWords(event: IssuedEvent): string {
  const type = tokenTypeOf(event);
  if (type === 'code' || type === 'refresh') return 'This server takes it for expired and gives no tokens for it.';
  if (type === 'id') {
    return 'This server takes it for expired when it comes back, as a hint or in an exchange. Its client has read it already and notices nothing.';
  }
  if (isOpaque(event)) return 'This server takes it for expired, and says so to whoever asks about it.';
  return `This server and the sample API take it for expired. An API that only checks the signature accepts it until ${end(event)}.`;
}

/** Who refuses a revoked token, and who does not notice until when (RFC 7009 §3). */
export function revokedWords(event: IssuedEvent, { api }: Rules): string {
  const type = tokenTypeOf(event);
  const all = 'and so is everything else from the same login';
  if (type === 'code') return 'It gives no tokens any more.';
  if (type === 'refresh') {
    return `It is refused now, ${all}. An API that only checks signatures accepts the access tokens it gave until they expire.`;
  }
  if (isOpaque(event)) return `It is refused now, ${all}: whoever asks about it is told that it is not active.`;
  const late = `accepts it until ${end(event)}`;
  return api.tokenCheck === 'introspection'
    ? `It is refused now by introspection, UserInfo and the sample API, ${all}. An API that only checks the signature ${late}.`
    : `It is refused now by introspection and UserInfo, ${all}. The sample API only checks the signature (API_TOKEN_CHECK=local): like every API that does, it ${late}.`;
}

function isOpaque(event: IssuedEvent): boolean {
  return event.type === 'token.issued' && event.format === 'opaque';
}

function end({ exp, iat }: IssuedEvent): string {
  return momentOf(exp, iat).absolute.slice(11);
}
