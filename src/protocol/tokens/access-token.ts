import { defined } from '../../base/defined.ts';
import type { Authorization, Confirmation, Redemption } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { formatScope } from '../scope.ts';
import { loggedInUser, subjectFor } from '../users/user-claims.ts';

/** Claims of an access token, carried in the JWT (RFC 9068 §2.2) or stored behind an opaque token. */
export type AccessTokenClaims = Readonly<Record<string, unknown>> & {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string | readonly string[];
  readonly client_id: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
};

/** The claims of an access token (RFC 9068 §2.2). Configured claims cannot replace a claim of the protocol. */
export function accessTokenClaims(
  server: AuthorizationServer,
  client: RegisteredClient,
  redemption: Redemption,
  { tokenId, confirmation }: { readonly tokenId: string; readonly confirmation?: Confirmation | undefined },
): AccessTokenClaims {
  const { authorization, scopes } = redemption;
  const { sub, act, session } = authorization;
  const details = redemption.authorization_details ?? authorization.authorization_details;
  const now = server.clock();
  const claims = {
    iss: server.iss,
    sub: sub === undefined ? client.client_id : subjectFor(server, client, sub),
    aud: audience(client, redemption),
    client_id: client.client_id,
    iat: now,
    nbf: now,
    exp: Math.min(now + client.access_token_lifetime, lastMoment(redemption)),
    jti: tokenIdentifier(authorization, tokenId),
    ...scopeClaim(server, scopes),
    ...session,
    ...defined({ cnf: confirmation, act, authorization_details: details }),
  };
  return { ...claims, ...configuredClaims(server, client, authorization, scopes), ...claims };
}

/** Unix seconds: everything issued for a redemption has ended by then. */
export function lastMoment({ notAfter = Number.POSITIVE_INFINITY, authorization }: Redemption): number {
  return Math.min(notAfter, authorization.notAfter ?? notAfter);
}

/** RFC 9068 §3; a string for one value (RFC 7519 §4.1.3), unless it was written as a list. */
function audience(client: RegisteredClient, { resources, isResourceList }: Redemption): string | readonly string[] {
  const isAsked = resources.length > 0;
  const values = isAsked ? resources : client.audience.length > 0 ? client.audience : [client.client_id];
  const [only] = values;
  const isList = values.length > 1 || (isAsked ? isResourceList : client.isAudienceList) === true;
  return isList || only === undefined ? values : only;
}

function scopeClaim(server: AuthorizationServer, scopes: readonly string[]): { scope?: string | readonly string[] } {
  const scope = formatScope(scopes);
  if (scope === undefined) return {};
  return { scope: server.scopeClaim === 'array' ? scopes : scope };
}

function configuredClaims(
  server: AuthorizationServer,
  client: RegisteredClient,
  { sub, edited }: Authorization,
  scopes: readonly string[],
): Readonly<Record<string, unknown>> {
  const user = sub === undefined ? undefined : loggedInUser(server, { sub, ...(edited && { edited }) });
  const byScope = scopes.map(scope => server.scopes.get(scope)?.access_token_claims);
  return Object.assign({}, ...byScope, client.access_token_claims, user?.access_token_claims);
}

/** A `jti` that begins with the authorization's id, so that any token leads back to its authorization without a record. */
export function tokenIdentifier(authorization: Authorization, tokenId: string): string {
  return `${authorization.id}.${tokenId.slice('tok_'.length)}`;
}

/** The two ids in a `jti` of ours. For a token minted with another `jti`, ids that nothing has. */
export function parseTokenIdentifier(jti: unknown): { authorizationId: string; tokenId: string } {
  const [authorizationId = '', token = ''] = typeof jti === 'string' ? jti.split('.') : [];
  return { authorizationId, tokenId: `tok_${token}` };
}
