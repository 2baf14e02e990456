import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Refuse } from './errors.ts';

/**
 * Checks the times of a JWT that a client or another server made. Its maker goes by the real time and does not know that
 * the clock here was moved, so the JWT is accepted if either clock accepts it, each with its whole window.
 * @throws the error of `check` by this server's clock, if neither clock accepts the JWT
 */
export function checkByEitherClock(server: AuthorizationServer, check: (now: number) => void): void {
  const [now, wall] = [server.clock(), server.wallClock()];
  try {
    check(now);
  } catch (refusal) {
    if (wall === now) throw refusal;
    try {
      check(wall);
    } catch {
      throw refusal;
    }
  }
}

/** Words for the refusal of a JWT that came before or after its time. */
export interface TimeProblems {
  /** Name of the JWT in sentences: `the client_assertion`. */
  readonly name: string;
  /** Prefix of the reasons, as in `client_assertion_expired`. */
  readonly kind: 'client_assertion' | 'request_object' | 'assertion';
}

/** True if each of the times is absent or a number. */
export function areTimes(...times: readonly unknown[]): boolean {
  return times.every(time => time === undefined || Number.isFinite(time));
}

/** @throws the error that `refuse` makes if `exp` has passed (RFC 7519 §4.1.4) */
export function checkNotExpired(now: number, { exp }: JWTPayload, { name, kind }: TimeProblems, refuse: Refuse): void {
  if (exp === undefined || exp > now) return;
  const details = { sent: `exp ${exp}, now is ${now}`, expected: 'a fresh one' };
  throw refuse(`${kind}_expired`, `${name} expired ${now - exp} s ago`, details);
}

/** Seconds that another clock may be ahead (FAPI 2.0 Security Profile §5.3.2.1: at least 10, less than 60). */
const mostAhead = 10;

/** @throws the error that `refuse` makes if `nbf` or `iat` is in the future (RFC 7519 §4.1.5, §4.1.6) */
export function checkBegun(
  now: number,
  { nbf, iat }: Pick<JWTPayload, 'nbf' | 'iat'>,
  { name, kind }: TimeProblems,
  refuse: Refuse,
): void {
  const start = Math.max(nbf ?? 0, iat ?? 0);
  if (start <= now + mostAhead) return;
  throw refuse(`${kind}_not_yet_valid`, `${name} is from the future`, {
    sent: `${start === nbf ? 'nbf' : 'iat'} ${start}, now is ${now}`,
    expected: `at most ${mostAhead} s ahead of the clock of this server`,
  });
}

/** Kinds of JWTs that may be used once. Each kind has its own set of ids. */
type UsedJwt = 'client_assertion' | 'dpop_proof' | 'signed_request' | 'trusted_assertion';

/**
 * Marks a JWT as used, by its maker and its `jti`; false if it was used before. It is remembered until both clocks have
 * passed `until`, the end of its time in Unix seconds.
 */
export function useJwtOnce(
  server: AuthorizationServer,
  kind: UsedJwt,
  [maker, jti]: readonly [maker: string, jti: unknown],
  until: number,
): Promise<boolean> {
  const id = hash('sha256', JSON.stringify([maker, jti]), 'base64url');
  return server.usedJwts.add([kind, id], true, Math.ceil(until) - earlierTime(server));
}

/** The time by which entries of `usedJwts` expire: the earlier of the two clocks. */
export function earlierTime({ clock, wallClock }: Pick<AuthorizationServer, 'clock' | 'wallClock'>): number {
  return Math.min(clock(), wallClock());
}
