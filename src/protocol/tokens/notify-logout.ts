import type { LogoutNotified } from '../../base/events/event.ts';
import type { ClientCall } from '../authorization-server.ts';
import { outboundFor } from '../clients/document-fetches.ts';
import { OAuthError } from '../errors.ts';
import { OutboundError } from '../outbound.ts';
import type { Session } from '../users/session.ts';
import { subjectFor } from '../users/user-claims.ts';
import { idTokenKey, sealed } from './id-token.ts';
import { signJwt } from './signing-key.ts';

/** A logout notice to one client, with the client's answer. */
export type LogoutNotice = Omit<LogoutNotified, 'type' | 'sid'>;

/** Milliseconds that the user's logout waits for a client that does not answer. */
const patienceMs = 3000;

/** Posts a logout token (OIDC Back-Channel Logout §2.5). Returns a failure, so that other clients are still notified. */
export async function notifyByBackChannel(call: ClientCall, url: string, session: Session): Promise<LogoutNotice> {
  const notice = { client_id: call.client.client_id, channel: 'back', url } as const;
  try {
    const body = new URLSearchParams({ logout_token: await logoutToken(call, session) }).toString();
    const options = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, timeoutMs: patienceMs };
    const { status, milliseconds } = await outboundFor(call.server, call.client).post(url, body, options);
    const failure = status === 200 || status === 204 ? {} : { failure: refusalOf(status) };
    return { ...notice, status, milliseconds, ...failure };
  } catch (error) {
    if (error instanceof OutboundError) return { ...notice, failure: error.message };
    if (error instanceof OAuthError) return { ...notice, failure: error.fullDescription };
    throw error;
  }
}

/** OIDC Back-Channel Logout §2.8: 200 is success (204 is accepted, too), 400 means that the logout failed. */
function refusalOf(status: number): string {
  if (status === 400) return 'the client refused the logout token, or could not sign out';
  if (status >= 300 && status < 400) return 'the client answered with a redirect, which is not followed';
  return 'the client must answer with 200';
}

/** OIDC Back-Channel Logout §2.4. */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** Seconds; OIDC Back-Channel Logout §2.4 recommends two minutes at most. */
const lifetime = 120;

/**
 * The token that tells one client of the end of a session (OIDC Back-Channel Logout §2.4): with `sub` and `sid` as in its
 * ID tokens, never with a `nonce`, signed and encrypted like its ID tokens.
 */
export async function logoutToken(call: ClientCall, { sub, sid }: Pick<Session, 'sub' | 'sid'>): Promise<string> {
  const { server, client, emit } = call;
  const key = await idTokenKey(server, client);
  const iat = server.clock();
  const claims = {
    iss: server.iss,
    sub: subjectFor(server, client, sub),
    aud: client.client_id,
    iat,
    exp: iat + lifetime,
    jti: server.random.id(),
    sid,
    events: { [logoutEvent]: {} },
  };
  const draft = { kind: 'logout', key, typ: 'logout+jwt', claims, client_id: client.client_id, sub, emit } as const;
  const bent = await server.tampering?.jwt(draft);
  return sealed(call, bent?.token ?? (await signJwt(key, draft.typ, claims)));
}
