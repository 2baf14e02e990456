import type { TokenIssued } from '../../base/events/event.ts';
import type { Authorization, Redemption } from '../../protocol/authorization.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { finishedClaims } from '../../protocol/finished-claims.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { systemRandom } from '../../protocol/random.ts';
import type { RuledKind, TokenRule } from '../../protocol/token-rule.ts';
import { accessTokenClaims } from '../../protocol/tokens/access-token.ts';
import { idTokenClaims } from '../../protocol/tokens/id-token.ts';
import { sessionOf } from '../../protocol/users/session.ts';
import { createUserDirectory, type TestUser } from '../../protocol/users/user.ts';
import { subjectFor, userClaims } from '../../protocol/users/user-claims.ts';
import { withRules } from './token-claims.ts';

/** Claims, by token; a token that would not be issued is absent. */
export interface TokenPreview {
  readonly access: Readonly<Record<string, unknown>>;
  readonly id?: Readonly<Record<string, unknown>>;
  readonly userinfo?: Readonly<Record<string, unknown>>;
  /** The claims that a preset or a rule set. */
  readonly origins: Partial<Readonly<Record<'access' | 'id' | 'userinfo', Pick<TokenIssued, 'written' | 'ruled'>>>>;
}

/** Placeholder for values that are new in every token, so that nobody mistakes them for real ones. */
const anew = '(differs in each token)';

/**
 * Claims of the tokens for a sign-in of this user, made by the same functions as real tokens. Issues and stores nothing,
 * and the user need not exist in the sandbox. `rules` are in place of those in effect.
 */
export async function previewTokens(
  original: AuthorizationServer,
  client: RegisteredClient,
  user: TestUser | undefined,
  scopes: readonly string[],
  rules?: readonly TokenRule[],
): Promise<TokenPreview> {
  const ruled = withRules(original, rules);
  const server = user === undefined ? ruled : withUser(ruled, user);
  const redemption = redemptionOf(server, client, user, scopes);
  const finished = (kind: RuledKind, claims: ParsedObject) =>
    finishedClaims(kind, { server, client, ...redemption, isPreview: true }, claims);
  const usual = { ...accessTokenClaims(server, client, redemption, { tokenId: 'tok_preview' }), jti: anew };
  const access = await finished('accessToken', usual);
  if (user === undefined) return { access: access.written, origins: { access: access.origins } };
  const about = { ...redemption.authorization, sub: user.sub };
  if (!scopes.includes('openid')) return { access: withoutSid(access.written), origins: { access: access.origins } };
  const usualId = { ...idTokenClaims(server, client, about, { scopes, accessToken: anew }), at_hash: anew };
  const usualInfo = { ...userClaims(server, about, scopes), sub: subjectFor(server, client, user.sub) };
  const [id, userinfo] = [await finished('idToken', usualId), await finished('userinfo', usualInfo)];
  return {
    access: withoutSid(access.written),
    id: withoutSid(id.written),
    userinfo: userinfo.written,
    origins: { access: access.origins, id: id.origins, userinfo: userinfo.origins },
  };
}

function withoutSid(claims: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return 'sid' in claims ? { ...claims, sid: anew } : claims;
}

function redemptionOf(
  server: AuthorizationServer,
  { client_id }: RegisteredClient,
  user: TestUser | undefined,
  scopes: readonly string[],
): Redemption {
  const own = { id: 'preview', client_id, scopes, resources: [] };
  return { authorization: { ...own, ...authorizedBy(server, user) }, scopes, resources: [] };
}

function authorizedBy(
  server: AuthorizationServer,
  user: TestUser | undefined,
): Pick<Authorization, 'grant_type' | 'sub' | 'session'> {
  if (user === undefined) return { grant_type: 'client_credentials' };
  const { sid, auth_time, acr, amr } = sessionOf({ ...server, random: systemRandom }, { user, method: 'click' });
  return { grant_type: 'authorization_code', sub: user.sub, session: { sid, auth_time, acr, amr } };
}

function withUser(server: AuthorizationServer, user: TestUser): AuthorizationServer {
  return { ...server, users: createUserDirectory([...server.users.values(), user], []) };
}
