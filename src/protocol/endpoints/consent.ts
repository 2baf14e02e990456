import type { AuthorizationServer } from '../authorization-server.ts';
import { OAuthError } from '../errors.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import { formatScope } from '../scope.ts';
import { type ConsentItems, consentItems, narrowRequest, putDecision, rememberForBrowser } from '../users/consent.ts';
import { findSession } from '../users/session.ts';
import { answer } from './authorize.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

/** The answer of the user on the consent screen. */
export interface ConsentAnswer {
  readonly allow: boolean;
  /** The `sid` of the session whose user was asked. */
  readonly sid: string;
  /** The ticked scopes. */
  readonly scopes: ReadonlySet<string>;
  readonly claims: ReadonlySet<string>;
  /** Positions in the request of the allowed details. */
  readonly details: ReadonlySet<number>;
  /** The browser that remembers the answer; absent: it counts for this request only. */
  readonly browserId?: string;
  /** The authorization endpoint with the same request; the browser is sent there after the answer. */
  readonly returnTo: string;
}

/** Stores the answer and sends the browser back to the authorization endpoint: one path validates, one path issues. */
export function answerConsent(
  server: AuthorizationServer,
  request: EndpointRequest,
  said: ConsentAnswer,
): Promise<Reply> {
  return answer(server, request, async ({ target: { client }, asked }) => {
    const session = await findSession(server, request.sessionId);
    // another user has logged in meanwhile, or nobody is logged in: the endpoint asks again
    if (session === undefined || session.sid !== said.sid) return { kind: 'redirect', location: said.returnTo };
    const allowed = allowedItems(server, asked, said);
    const who = { sub: session.sub, client_id: client.client_id };
    if (!said.allow || isNothing(server, asked, allowed)) {
      request.emit({ type: 'consent.denied', ...who });
      throw denied(said.allow);
    }
    await putDecision(server, session, asked, allowed);
    if (said.browserId !== undefined) await rememberForBrowser(server, { client, session }, said.browserId, allowed);
    request.emit({
      type: 'consent.granted',
      ...who,
      scope: formatScope(narrowRequest(server, asked, allowed).scopes),
      withheld: withheldItems(consentItems(server, asked), allowed),
      remembered: said.browserId !== undefined,
    });
    return { kind: 'redirect', location: said.returnTo };
  });
}

function allowedItems(server: AuthorizationServer, asked: AuthorizationRequest, said: ConsentAnswer): ConsentItems {
  const { scopes, claims, details } = consentItems(server, asked);
  return {
    scopes: scopes.filter(scope => scope === 'openid' || said.scopes.has(scope)),
    claims: claims.filter(claim => said.claims.has(claim)),
    details: details.filter((_, index) => said.details.has(index)),
  };
}

function isNothing(server: AuthorizationServer, asked: AuthorizationRequest, allowed: ConsentItems): boolean {
  const count = ({ scopes, claims, details }: ConsentItems) => scopes.length + claims.length + details.length;
  return count(consentItems(server, asked)) > 0 && count(allowed) === 0;
}

function withheldItems(asked: ConsentItems, allowed: ConsentItems): string[] {
  return [
    ...asked.scopes.filter(scope => !allowed.scopes.includes(scope)),
    ...asked.claims.filter(claim => !allowed.claims.includes(claim)),
    ...asked.details.filter(detail => !allowed.details.includes(detail)).map(({ type }) => type),
  ];
}

function denied(isEmpty: boolean): OAuthError {
  const description = isEmpty
    ? 'the user allowed none of the requested access'
    : 'the user denied the request on the consent screen';
  return new OAuthError('access_denied', 'user_denied', description);
}
