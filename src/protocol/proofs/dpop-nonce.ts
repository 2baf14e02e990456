import { hash } from 'node:crypto';
import type { AuthorizationServer } from '../authorization-server.ts';
import { sameSecret } from '../random.ts';

/** Seconds for which one nonce is handed out; it stays valid for as long again. */
const handedOutFor = 150;

/** Current value of `DPoP-Nonce` (RFC 9449 §8). Nothing is stored: it is computed from the time and a secret. */
export function currentNonce(server: AuthorizationServer): string {
  return nonceOf(server, windowOf(server));
}

/** True if a proof's `nonce` was handed out in this window or the one before. */
export function isFreshNonce(server: AuthorizationServer, nonce: string): boolean {
  const now = windowOf(server);
  return [now, now - 1].some(window => sameSecret(nonce, nonceOf(server, window)));
}

function windowOf({ clock }: AuthorizationServer): number {
  return Math.floor(clock() / handedOutFor);
}

function nonceOf({ dpop, issuer }: AuthorizationServer, window: number): string {
  return hash('sha256', JSON.stringify(['DPoP nonce', issuer, window, dpop.secret]), 'base64url').slice(0, 32);
}

/** The next nonce, for an answer to a request with a proof (RFC 9449 §8.2). */
export function nonceHeader(server: AuthorizationServer): Readonly<Record<string, string>> {
  return server.dpop.nonceRequired ? { 'DPoP-Nonce': currentNonce(server) } : {};
}
