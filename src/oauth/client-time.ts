import { hash } from 'node:crypto';
import type { AuthorizationServer } from './authorization-server.ts';

/**
 * Checks the times of a JWT that a client or another server made. They know nothing of a clock that was moved here, and go by the
 * real one: the JWT is good if it is so by either of the two, each with its whole window.
 * @throws what `check` throws by the clock of this server, where it throws by both
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

/** Of which kind a JWT is that may come once; each kind has ids of its own. */
type UsedJwt = 'client_assertion' | 'dpop_proof' | 'signed_request' | 'trusted_assertion';

/**
 * Marks a JWT as used, by its maker and its `jti`; false where it was used before. `until` is when its time is over, in Unix
 * seconds: it is remembered until that is so by both clocks, since it is good by either.
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

/** What the clock of `usedJwts` shows. */
export function earlierTime({ clock, wallClock }: Pick<AuthorizationServer, 'clock' | 'wallClock'>): number {
  return Math.min(clock(), wallClock());
}
