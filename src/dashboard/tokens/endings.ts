import type { IssuedEvent } from '../../base/events/event-log.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import type { DashboardOptions } from '../../sandbox/dashboard.ts';
import type { ExaminedToken } from '../claims/check.ts';
import { momentOf } from '../moment.ts';

type Rules = Pick<DashboardOptions, 'api'>;

/** How the dashboard can end a token, with the effect in words. */
export interface Endings {
  /** Absent for a token that has already ended. */
  readonly expire?: string;
  /** Absent for a token that cannot be revoked. */
  readonly revoke?: string;
  /** True if the token was expired manually and this can be undone. */
  readonly canResume: boolean;
}

/** The ways to end a token that apply to its type and status. */
export function endingsOf(
  { event, status, isEnded, now }: Pick<ExaminedToken, 'event' | 'status' | 'isEnded' | 'now'>,
  options: Rules,
): Endings {
  if (status !== 'valid') return { canResume: isEnded && status === 'expired' && now < event.exp };
  return {
    expire: expiredWords(event),
    ...(tokenTypeOf(event) === 'id' ? {} : { revoke: revokedWords(event, options) }),
    canResume: false,
  };
}

/** Which servers treat a manually expired token as expired, and which do not notice. */
export function expiredWords(event: IssuedEvent): string {
  const type = tokenTypeOf(event);
  if (type === 'code' || type === 'refresh') return 'This server treats it as expired and issues no tokens for it.';
  if (type === 'id') {
    return 'This server treats it as expired, as an id_token_hint and in a token exchange. The client has already read it and does not notice.';
  }
  if (isOpaque(event)) return 'This server treats it as expired and reports that at introspection.';
  return `This server and the sample API treat it as expired. An API that checks only the signature accepts it until ${end(event)}.`;
}

/** Which servers refuse a revoked token, and which accept it until it expires (RFC 7009 §3). */
export function revokedWords(event: IssuedEvent, { api }: Rules): string {
  const type = tokenTypeOf(event);
  const all = 'and every other token from the same login';
  if (type === 'code') return 'It can no longer be exchanged for tokens.';
  if (type === 'refresh') {
    return `This server refuses it ${all}. An API that checks only signatures still accepts the access tokens until they expire.`;
  }
  if (isOpaque(event)) return `Introspection reports it ${all} as inactive.`;
  const late = `accepts it until ${end(event)}`;
  return api.tokenCheck === 'introspection'
    ? `Introspection, UserInfo and the sample API refuse it ${all}. An API that checks only the signature ${late}.`
    : `Introspection and UserInfo refuse it ${all}. The sample API checks only the signature (API_TOKEN_CHECK=local) and ${late}, as every such API does.`;
}

function isOpaque(event: IssuedEvent): boolean {
  return event.type === 'token.issued' && event.format === 'opaque';
}

function end({ exp, iat }: IssuedEvent): string {
  return momentOf(exp, iat).absolute.slice(11);
}
