import { updateEntry } from '../../base/store.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { OAuthError, type Reason } from '../errors.ts';

/** Limits wrong guesses (RFC 8628 §5.1, RFC 6749 §4.3.2). Blocks for a while, never permanently. */
export interface GuessLimit {
  /** The kind of its entries in the store. */
  readonly kind: string;
  readonly most: number;
  /** Seconds without a wrong guess after which the count starts again. */
  readonly forgetsAfter: number;
  readonly reason: Reason;
  readonly description: string;
}

/** @throws temporarily_unavailable with 429 after too many wrong guesses */
export async function refuseGuessing(server: AuthorizationServer, limit: GuessLimit, who: string): Promise<void> {
  const misses = (await server.store.get<number>([limit.kind, who])) ?? 0;
  if (misses < limit.most) return;
  throw new OAuthError('temporarily_unavailable', limit.reason, limit.description, {
    status: 429,
    sent: `${misses} wrong guesses`,
    expected: `at most ${limit.most} wrong guesses, then a pause of ${limit.forgetsAfter} s`,
    headers: { 'Retry-After': String(limit.forgetsAfter) },
  });
}

export async function countMiss(server: AuthorizationServer, limit: GuessLimit, who: string): Promise<void> {
  await updateEntry<number>(server.store, [limit.kind, who], limit.forgetsAfter, (misses = 0) => misses + 1);
}
