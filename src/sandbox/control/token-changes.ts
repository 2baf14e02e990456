import type { IssuedEvent } from '../../base/events/event-log.ts';
import {
  endToken,
  idTokenMark,
  isRevoked,
  resumeToken as resume,
  revokeAuthorization,
} from '../../protocol/kept-authorizations.ts';
import { type ControlParts, tell } from './control-parts.ts';

/** Ends everything that grew from the authorization of a token (RFC 7009 §2); false for one nobody remembers. */
export async function revokeToken(parts: ControlParts, tokenId: string): Promise<boolean> {
  const issued = await issuedToken(parts, tokenId);
  if (issued === undefined) return false;
  await revokeOnce(parts, issued);
  return true;
}

/** The same for all that has not expired and was given to, or for, somebody who is no more. */
export async function revokeGiven(parts: ControlParts, isTheirs: (token: IssuedEvent) => boolean): Promise<void> {
  await parts.events.caughtUp();
  const now = parts.server.clock();
  const live = parts.events.latestIssued(Number.POSITIVE_INFINITY).filter(token => token.exp > now && isTheirs(token));
  const byAuthorization = new Map(live.map(token => [token.authorizationId, token]));
  for (const token of byAuthorization.values()) await revokeOnce(parts, token);
}

async function revokeOnce(parts: ControlParts, { authorizationId, client_id }: IssuedEvent): Promise<void> {
  if (await isRevoked(parts.server, authorizationId)) return;
  await revokeAuthorization(parts.server, authorizationId);
  tell(parts, { type: 'token.revoked', authorizationId, client_id, reason: 'revoked_by_owner' });
}

/** From now on it counts as expired, here and at the sample backend; false for one nobody remembers. */
export async function expireToken(parts: ControlParts, tokenId: string): Promise<boolean> {
  const issued = await issuedToken(parts, tokenId);
  if (issued === undefined) return false;
  await endToken(parts.server, markOf(issued), issued.exp);
  tell(parts, { type: 'token.ended', ...idsOf(issued) });
  return true;
}

/** Undoes a manual expiry; false if the log does not have the token. */
export async function resumeToken(parts: ControlParts, tokenId: string): Promise<boolean> {
  const issued = await issuedToken(parts, tokenId);
  if (issued === undefined) return false;
  await resume(parts.server, markOf(issued));
  tell(parts, { type: 'token.resumed', ...idsOf(issued) });
  return true;
}

/** The token with this id, if the log remembers it. */
async function issuedToken({ events }: ControlParts, tokenId: string): Promise<IssuedEvent | undefined> {
  await events.caughtUp();
  return events.issued(tokenId);
}

/** An ID token has no `jti`: it is known by what it says, inside of what it may be encrypted in. */
function markOf(issued: IssuedEvent): string {
  const isIdToken = issued.type === 'token.issued' && issued.tokenType === 'id';
  return isIdToken ? idTokenMark(issued.signed ?? issued.token) : issued.tokenId;
}

function idsOf({ tokenId, authorizationId, client_id }: IssuedEvent) {
  return { tokenId, authorizationId, client_id };
}
