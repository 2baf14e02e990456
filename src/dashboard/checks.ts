import type { IssuedEvent } from '../events/event-log.ts';
import { parseScope } from '../oauth/scope.ts';
import type { DashboardOptions } from './dashboard-options.ts';
import { duration } from './duration.ts';
import { type DecodedJwt, readableToken } from './jwt.ts';
import { type TokenStatus, tokenTypeOf } from './token-status.ts';

/** What a careful receiver would look at, and how it turned out. */
export interface Check {
  readonly level: 'pass' | 'note' | 'fail';
  readonly text: string;
  readonly reference: string;
}

interface Subject {
  readonly event: IssuedEvent;
  readonly jwt: DecodedJwt;
  readonly status: TokenStatus;
  readonly now: number;
}

/** The checks of a JWT; codes and opaque tokens have none. */
export async function checksOf(subject: Subject, options: DashboardOptions): Promise<Check[]> {
  const isAccess = tokenTypeOf(subject.event) === 'access';
  return [
    await signature(subject, options),
    ...(isAccess ? [type(subject)] : []),
    issuer(subject, options),
    lifetime(subject),
    ...(subject.status === 'revoked' ? [revoked] : []),
    ...(isAccess ? [accessAudience(subject), scope(subject)] : [idAudience(subject), nonce(subject)]),
  ];
}

const revoked: Check = {
  level: 'note',
  text: 'revoked: introspection refuses it; an API that only checks the signature accepts it until it expires',
  reference: 'RFC 7009 §3',
};

async function signature({ event }: Subject, { verify }: DashboardOptions): Promise<Check> {
  const reference = 'RFC 7515 §5.2';
  const result = await verify(readableToken(event));
  if (result.ok) return { level: 'pass', text: `signature ${result.alg}, verified with key ${result.kid}`, reference };
  return { level: 'fail', text: `signature not verified: ${result.why}`, reference };
}

function type({ jwt }: Subject): Check {
  const reference = 'RFC 9068 §2.1';
  const { typ } = jwt.header;
  if (typ === 'at+jwt') return { level: 'pass', text: 'typ at+jwt: an access token', reference };
  return { level: 'fail', text: `typ is ${JSON.stringify(typ)}, an access token has at+jwt`, reference };
}

function issuer({ jwt }: Subject, options: DashboardOptions): Check {
  const reference = 'RFC 7519 §4.1.1';
  if (jwt.claims.iss === options.issuer) return { level: 'pass', text: 'iss is this sandbox', reference };
  return { level: 'fail', text: `iss is not ${options.issuer}`, reference };
}

function lifetime({ event, now }: Subject): Check {
  const reference = 'RFC 7519 §4.1.4';
  if (now < event.exp) return { level: 'pass', text: `not expired, ${duration(event.exp - now)} left`, reference };
  return { level: 'fail', text: `expired ${duration(now - event.exp)} ago`, reference };
}

function accessAudience({ event, jwt }: Subject): Check {
  const reference = 'RFC 9068 §4';
  const audience = [jwt.claims.aud].flat();
  if (audience.length === 0 || jwt.claims.aud === undefined) return { level: 'fail', text: 'no aud', reference };
  if (audience.includes(event.client_id)) {
    return {
      level: 'note',
      text: 'aud is the client itself: no resource was asked for and none is configured',
      reference,
    };
  }
  return { level: 'pass', text: `aud names ${audience.join(', ')}: an API with another name refuses it`, reference };
}

function scope({ event }: Subject): Check {
  const reference = 'RFC 9068 §2.2.3';
  const scopes = parseScope(event.scope);
  if (scopes.length > 0) return { level: 'pass', text: `scope grants ${scopes.join(', ')}`, reference };
  return { level: 'note', text: 'no scope: an API that asks for one answers 403', reference };
}

function idAudience({ event, jwt }: Subject): Check {
  const reference = 'OIDC Core §3.1.3.7';
  if ([jwt.claims.aud].flat().includes(event.client_id))
    return { level: 'pass', text: `aud is ${event.client_id}`, reference };
  return { level: 'fail', text: `aud does not name ${event.client_id}`, reference };
}

function nonce({ jwt }: Subject): Check {
  const reference = 'OIDC Core §3.1.2.1';
  if (jwt.claims.nonce !== undefined)
    return { level: 'pass', text: 'nonce present: the application must compare it', reference };
  return { level: 'note', text: 'no nonce: the application sent none', reference };
}
