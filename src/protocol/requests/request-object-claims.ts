import type { JWTPayload } from 'jose';
import type { ClientCall } from '../authorization-server.ts';
import { areTimes, checkBegun, checkByEitherClock, checkNotExpired, type TimeFaults } from '../client-time.ts';
import type { Refuse } from '../errors.ts';
import { controlCharacters, type RequestParameters, shorten } from '../parameters.ts';

/** Seconds from now that `exp` and `nbf` may be at most (FAPI 2.0 Message Signing §5.3.2). */
const furthest = 3600;

/**
 * Checks that the object is for this server, from this client and within its time (RFC 9101 §4, §6).
 * @throws invalid_request_object
 */
export function checkObjectClaims(context: ObjectContext, claims: JWTPayload, refuse: Refuse): void {
  checkClient(context, claims, refuse);
  checkAudience(context, claims, refuse);
  checkTime(context, claims, refuse);
  for (const name of ['request', 'request_uri']) {
    if (claims[name] === undefined) continue;
    const description = `a request object may not hold ${name} (RFC 9101 §4)`;
    throw refuse('request_object_nested', description, { sent: name, expected: 'plain parameters' });
  }
}

function checkClient({ client }: ObjectContext, { client_id, iss, sub }: JWTPayload, refuse: Refuse): void {
  const expected = client.client_id;
  if (client_id !== expected) {
    const description = 'client_id of the request object differs from the client_id parameter (RFC 9101 §5)';
    throw refuse('request_object_client_mismatch', description, { sent: shown(client_id), expected });
  }
  if (iss !== undefined && iss !== expected) {
    const description = 'iss of the request object is not the client_id (RFC 9101 §4)';
    throw refuse('request_object_client_mismatch', description, { sent: shown(iss), expected });
  }
  if (sub !== expected) return;
  const description =
    'sub of the request object is the client_id: that would make it a client assertion (RFC 9101 §10.8)';
  throw refuse('request_object_malformed', description, { sent: 'sub', expected: 'a request object without sub' });
}

/** RFC 9101 §4 recommends `aud`, and FAPI 2.0 Message Signing §5.3.2 requires it. */
function checkAudience({ server }: ObjectContext, { aud }: JWTPayload, refuse: Refuse): void {
  if (aud === undefined && server.profile === 'none') return;
  const values: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (values.includes(server.iss)) return;
  throw refuse('request_object_audience_mismatch', 'aud of the request object is not this server', {
    sent: shown(aud),
    expected: server.iss,
  });
}

function checkTime({ server }: ObjectContext, claims: JWTPayload, refuse: Refuse): void {
  const { exp, nbf, iat } = claims;
  const isStrict = server.profile === 'fapi2';
  for (const [name, value, isNeeded] of [
    ['exp', exp, isStrict],
    ['nbf', nbf, isStrict],
    ['iat', iat, false],
  ] as const) {
    if (value === undefined ? !isNeeded : areTimes(value)) continue;
    const description = `${name} of the request object is missing or not a number`;
    throw refuse('request_object_time_malformed', description, {
      sent: shown(value),
      expected: `${name} in seconds since 1970`,
    });
  }
  checkByEitherClock(server, now => checkPeriod(now, claims, isStrict, refuse));
}

const timeFaults: TimeFaults = { name: 'the request object', kind: 'request_object' };

function checkPeriod(now: number, claims: JWTPayload, isStrict: boolean, refuse: Refuse): void {
  checkNotExpired(now, claims, timeFaults, refuse);
  checkBegun(now, claims, timeFaults, refuse);
  const { exp, nbf } = claims;
  if (!isStrict) return;
  const [name, time] = exp !== undefined && exp > now + furthest ? (['exp', exp] as const) : (['nbf', nbf] as const);
  if (name === 'nbf' && (time === undefined || time >= now - furthest)) return;
  throw refuse('request_object_time_malformed', `${name} of the request object is too far from now`, {
    sent: `${name} ${time}, now is ${now}`,
    expected: `at most ${furthest} s from now (FAPI 2.0 Message Signing §5.3.2)`,
  });
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : shorten(text(value));
}

/** Claims of the JWT itself, which are not parameters (RFC 9101 §4). */
const claimsOfJwt = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']);

/** The claims as parameters: text unchanged, numbers as digits, everything else as JSON (RFC 9101 §4, OIDC Core §6.1). */
export function objectParameters(claims: JWTPayload): RequestParameters {
  const values = new Map<string, string>();
  const malformed = new Set<string>();
  const resources: string[] = [];
  for (const [name, value] of Object.entries(claims)) {
    if (claimsOfJwt.has(name) || value === undefined || value === null) continue;
    if (name === 'resource') resources.push(...[value].flat().map(text));
    values.set(name, text(value));
    if (controlCharacters.test(text(value))) malformed.add(shorten(name));
  }
  return { values, repeated: new Set(), malformed, resources: resources.filter(each => each !== '') };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The client of a request object, and how the object was sent. */
export interface ObjectContext extends ClientCall {
  /** In `request`, behind `request_uri`, or at the pushed authorization request endpoint (RFC 9126 §3). */
  readonly sentAs: 'value' | 'reference' | 'pushed';
}
