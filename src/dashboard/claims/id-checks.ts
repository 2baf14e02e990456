import type { IssuedEvent } from '../../base/events/event-log.ts';
import { clientReceivers, judgeAudience } from '../../protocol/judge-claims.ts';
import { tokenHash } from '../../protocol/tokens/id-token.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import type { DashboardOptions } from '../../sandbox/dashboard.ts';
import { check, type ExaminedToken, type TokenCheck } from './check.ts';

/** The checks that an application makes on an ID token (OIDC Core §3.1.3.7). */
export function idChecks(subject: ExaminedToken, options: DashboardOptions): TokenCheck[] {
  return [
    ...registeredAlg(subject),
    judgeAudience(subject.claims, clientReceivers([subject.event.client_id])),
    ...authorizedParty(subject),
    nonce(subject),
    ...hash(subject, options, 'at_hash', 'access', 'OIDC Core §3.1.3.6'),
    ...hash(subject, options, 'c_hash', 'code', 'OIDC Core §3.3.2.11'),
    ...encryption(subject),
  ];
}

function registeredAlg({ header = {}, client }: ExaminedToken): TokenCheck[] {
  const { alg } = header;
  const expected = client?.id_token_signed_response_alg;
  if (expected === undefined || alg === expected) return [];
  return [check('fail', `alg is ${String(alg)}; the client is registered for ${expected}`, 'OIDC Registration §2')];
}

function authorizedParty({ event, claims: { azp } }: ExaminedToken): TokenCheck[] {
  if (azp === undefined || azp === event.client_id) return [];
  return [check('fail', `azp is ${JSON.stringify(azp)}, the client is ${event.client_id}`, 'OIDC Core §3.1.3.7')];
}

function nonce({ claims }: ExaminedToken): TokenCheck {
  const reference = 'OIDC Core §3.1.2.1';
  if (claims.nonce !== undefined)
    return check('pass', 'nonce present: the application must compare it with the nonce it sent', reference);
  return check('note', 'no nonce: the application sent none', reference);
}

/** Whether the hash matches the token or code issued in the same response. */
function hash(
  { event, header = {}, claims }: ExaminedToken,
  { events }: DashboardOptions,
  claim: 'at_hash' | 'c_hash',
  type: 'access' | 'code',
  reference: string,
): TokenCheck[] {
  const beside = events.ofRequest(event.requestId).find((each): each is IssuedEvent => {
    return (each.type === 'token.issued' || each.type === 'code.issued') && tokenTypeOf(each) === type;
  });
  if (beside === undefined || claims[claim] === undefined || typeof header.alg !== 'string') return [];
  const fits = tokenHash(beside.token, header.alg) === claims[claim];
  const what = type === 'code' ? 'code' : 'access token';
  if (fits) return [check('pass', `${claim} matches the ${what} issued with it`, reference)];
  return [check('fail', `${claim} does not match the ${what} issued with it`, reference)];
}

function encryption({ event }: ExaminedToken): TokenCheck[] {
  if (event.type !== 'token.issued' || event.signed === undefined) return [];
  return [check('note', 'encrypted for the client; this page shows the decrypted content', 'OIDC Core §10.2')];
}
