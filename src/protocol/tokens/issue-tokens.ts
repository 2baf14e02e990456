import { defined } from '../../base/defined.ts';
import type { TokenIssued } from '../../base/events/event.ts';
import type {
  Authorization,
  AuthorizationDetail,
  Confirmation,
  ExchangeTokenType,
  Redemption,
} from '../authorization.ts';
import type { AuthorizationServer, ClientCall } from '../authorization-server.ts';
import { isPublic, type RegisteredClient } from '../clients/client.ts';
import type { SecretKind, WrittenFor } from '../dialect.ts';
import { invalidRequest, invalidScope, type OAuthError } from '../errors.ts';
import { finishedClaims } from '../finished-claims.ts';
import { putAuthorization, putRefreshToken } from '../kept-authorizations.ts';
import { configuredResources } from '../requests/requested-access.ts';
import { formatScope } from '../scope.ts';
import { editedAmong } from '../users/login-claims.ts';
import { accessTokenClaims, lastMoment } from './access-token.ts';
import { encryptForResource } from './encrypt-jwt.ts';
import { type IdTokenContext, idTokenClaims, idTokenKey, sealed } from './id-token.ts';
import { type BentJwt, type JwtDraft, signJwt } from './signing-key.ts';

interface Issue extends ClientCall {
  readonly redemption: Redemption;
  /** The key that the tokens are bound to. */
  readonly confirmation?: Confirmation;
  /** The request, for rules. */
  readonly asked?: WrittenFor<AuthorizationServer>['asked'];
}

/** Issues all tokens of a response, or the one that an exchange asks for. No other place issues tokens. Emits `token.issued` for each. */
export async function issueTokens(issue: Issue): Promise<TokenResponse> {
  const type = issue.redemption.requestedTokenType;
  return type === undefined ? issueAll(issue) : issueRequested(issue, type);
}

async function issueAll(issue: Issue): Promise<TokenResponse> {
  const { redemption, confirmation } = issue;
  const { tokens = ['access', 'refresh', 'id'] } = redemption;
  const access = await issueAccessToken(issue);
  const id_token = tokens.includes('id') ? await issueIdToken(issue, { accessToken: access.token }) : undefined;
  const refresh_token = tokens.includes('refresh') ? await issueRefreshToken(issue) : undefined;
  const details = redemption.authorization_details ?? redemption.authorization.authorization_details;
  const response = {
    access_token: access.token,
    token_type: confirmation?.jkt === undefined ? 'Bearer' : 'DPoP',
    expires_in: access.exp - access.iat,
    ...defined({ scope: formatScope(redemption.scopes), refresh_token, id_token, authorization_details: details }),
    ...redemption.response,
  } as const;
  return issue.server.dialect?.write('tokenResponse', writtenFor(issue), response) ?? response;
}

function writtenFor(issue: Issue): WrittenFor<AuthorizationServer> {
  return { ...issue, ...issue.redemption };
}

/**
 * Issues an access token (signed JWT, or opaque and stored). `iat` and `exp` are Unix seconds. With `typ` `JWT` it has
 * the same claims but is not usable as an access token (RFC 8693 §3).
 */
export async function issueAccessToken(
  issue: Issue,
  typ: 'at+jwt' | 'JWT' = 'at+jwt',
): Promise<{ readonly token: string; readonly iat: number; readonly exp: number }> {
  const { server, client, redemption, emit, confirmation } = issue;
  const tokenId = server.random.tokenId();
  const usual = accessTokenClaims(server, client, redemption, { tokenId, confirmation });
  const { own: claims, written, origins } = await finishedClaims('accessToken', writtenFor(issue), usual);
  const { iat, exp } = claims;
  await rememberWhatTokensLack(issue);
  const behind = { ...editedIn(redemption.authorization, claims), ...askedFor(server, redemption) };
  const isOpaque = client.access_token_format === 'opaque' || server.dialect?.isOpaque?.(redemption.resources);
  if (isOpaque && typ === 'at+jwt') {
    const token = newSecret(server, 'accessToken');
    await server.store.put(['access_token', token], claims, exp - iat);
    const facts = fact(redemption, client, { tokenId, token, exp, iat });
    emit({ ...facts, ...behind, ...defined({ ruled: origins.ruled }), tokenType: 'access', format: 'opaque', claims });
    return { token, iat, exp };
  }
  const key = await server.keys.forAlg(server.signingAlg, 'access');
  const header = server.dialect?.accessTokenType ?? typ;
  const { signed, bent } = await signedFor(issue, { kind: 'access', key, typ: header, claims: written });
  const isSealed = typ === 'at+jwt' && Object.hasOwn(server.dropIns?.accessTokenKeys ?? {}, String(claims.aud));
  const token = isSealed ? await encryptForResource(server, signed, claims, bent === undefined) : signed;
  if (typ === 'at+jwt') await server.dialect?.keepClaims(server, token, claims, exp);
  const facts = { ...fact(redemption, client, { tokenId, token, exp, iat }), ...(isSealed && { signed }), ...behind };
  emit({ ...facts, ...origins, tokenType: 'access', format: 'jwt', kid: key.kid, alg: key.alg, ...bentIn(bent) });
  return { token, iat, exp };
}

async function signedFor(
  { server, client, redemption, emit }: Issue,
  jwt: Pick<JwtDraft, 'kind' | 'key' | 'typ' | 'claims'>,
): Promise<{ readonly signed: string; readonly bent: BentJwt | undefined }> {
  const draft = { ...jwt, client_id: client.client_id, sub: redemption.authorization.sub, emit };
  const bent = await server.tampering?.jwt(draft);
  return { signed: bent?.token ?? (await signJwt(jwt.key, jwt.typ, jwt.claims)), bent };
}

/** UserInfo needs the user of a pairwise `sub`, the requested claims, those set at the login, and the grant for rules. */
async function rememberWhatTokensLack({ server, client, redemption: { authorization } }: Issue): Promise<void> {
  const { sub, claims, edited } = authorization;
  const isPairwise = client.subject_type === 'pairwise' && sub !== undefined;
  if (isPairwise || server.tokenRules !== undefined || claims?.userinfo !== undefined || edited !== undefined) {
    await putAuthorization(server, authorization);
  }
}

function editedIn({ edited }: Authorization, claims: Readonly<Record<string, unknown>>): Pick<TokenIssued, 'edited'> {
  const names = edited === undefined ? [] : editedAmong(edited, claims);
  return names.length === 0 ? {} : { edited: names };
}

function bentIn(bent: BentJwt | undefined): Partial<Pick<TokenIssued, 'defect' | 'iat' | 'exp'>> {
  if (bent === undefined) return {};
  const times = Object.entries(bent.claims).filter(
    ([name, at]) => ['iat', 'exp'].includes(name) && Number.isFinite(at),
  );
  return { defect: bent.defect, ...Object.fromEntries(times) };
}

function askedFor(
  server: AuthorizationServer,
  { resources }: Redemption,
): Pick<TokenIssued, 'resources' | 'unknownResources'> {
  if (resources.length === 0) return {};
  const configured = server.dialect === undefined ? configuredResources(server) : resources;
  const unknown = resources.filter(each => URL.canParse(each) && !configured.includes(each));
  return { resources, ...(unknown.length > 0 && { unknownResources: unknown }) };
}

function requestedIn(
  { claims: asked }: Authorization,
  claims: Readonly<Record<string, unknown>>,
): Pick<TokenIssued, 'requested'> {
  if (asked?.id_token === undefined) return {};
  const names = Object.keys(asked.id_token).filter(name => Object.hasOwn(claims, name));
  return names.length === 0 ? {} : { requested: names };
}

/** A random token or code, in the form of the preset. */
export function newSecret({ random, dialect }: AuthorizationServer, kind: SecretKind): string {
  const text = random.secret();
  return dialect?.secret(kind, text) ?? text;
}

/** Only when `openid` was granted (OIDC Core §3.1.2.1), and only for a user. */
export async function issueIdToken(
  issue: Issue,
  beside: Pick<IdTokenContext, 'accessToken' | 'code'>,
): Promise<string | undefined> {
  const { server, client, redemption, emit } = issue;
  const { authorization, scopes } = redemption;
  if (!hasUser(authorization) || !scopes.includes('openid')) return undefined;
  const key = await idTokenKey(server, client);
  const usual = idTokenClaims(server, client, authorization, { scopes, ...beside });
  const { written: claims, origins } = await finishedClaims('idToken', writtenFor(issue), usual);
  const { signed, bent } = await signedFor(issue, { kind: 'id', key, typ: 'JWT', claims });
  const token = await sealed(issue, signed);
  const inside = token === signed ? {} : { signed };
  const facts = fact(redemption, client, { tokenId: server.random.tokenId(), token, iat: claims.iat, exp: claims.exp });
  const behind = { ...origins, ...editedIn(authorization, claims), ...requestedIn(authorization, claims) };
  emit({ ...facts, ...inside, ...behind, tokenType: 'id', format: 'jwt', kid: key.kid, alg: key.alg, ...bentIn(bent) });
  return token;
}

function hasUser(authorization: Authorization): authorization is Authorization & { readonly sub: string } {
  return authorization.sub !== undefined;
}

/** Only for a client that is registered for it and acts for a user. A public one rotates (RFC 9700 §2.2.2). */
export async function issueRefreshToken(issue: Issue): Promise<string | undefined> {
  const { server, client, redemption, emit, confirmation } = issue;
  const { authorization } = redemption;
  if (redemption.refreshToken !== undefined) return redemption.refreshToken;
  const isAsked = server.dialect?.refreshNeedsScope !== true || authorization.scopes.includes('offline_access');
  if (authorization.isOnline || authorization.declined?.includes('offline_access') || !isAsked) return undefined;
  if (authorization.sub === undefined || !client.grant_types.includes('refresh_token')) return undefined;
  const tokenId = server.random.tokenId();
  const iat = server.clock();
  const longest = client.refresh_token_lifetime ?? server.lifetimes.refreshToken;
  const lifetime = Math.min(longest, lastMoment(redemption) - iat);
  // a confidential client authenticates at each refresh, so it may change its key (RFC 9449 §5)
  const bound = isPublic(client) && confirmation !== undefined ? { ...authorization, confirmation } : authorization;
  const facts = { tokenId, authorization, iat, exp: iat + lifetime };
  const token = server.dialect?.refreshToken?.(writtenFor(issue), facts) ?? newSecret(server, 'refreshToken');
  await putRefreshToken(server, token, { authorization: bound, tokenId }, lifetime);
  const issued = fact(redemption, client, { tokenId, token, iat, exp: iat + lifetime });
  emit({ ...issued, ...defined({ scope: formatScope(authorization.scopes) }), tokenType: 'refresh', format: 'opaque' });
  return token;
}

type Facts = Omit<TokenIssued, 'tokenType' | 'format' | 'kid' | 'alg'>;

function fact(
  { authorization, scopes, parentTokenId, grant_type }: Redemption,
  client: RegisteredClient,
  token: Pick<TokenIssued, 'tokenId' | 'token' | 'iat' | 'exp'>,
): Facts {
  return {
    type: 'token.issued',
    ...token,
    authorizationId: authorization.id,
    client_id: client.client_id,
    grant_type: grant_type ?? authorization.grant_type,
    ...(grant_type === undefined ? {} : { began: authorization.grant_type }),
    ...defined({ parentTokenId, sub: authorization.sub, scope: formatScope(scopes) }),
  };
}

/** RFC 6749 §5.1, OIDC Core §3.1.3.3. */
export interface TokenResponse {
  readonly access_token: string;
  /** `N_A` for a token that is not an access token (RFC 8693 §2.2.1). */
  readonly token_type: 'Bearer' | 'DPoP' | 'N_A';
  /** Lifetime of the access token in seconds. */
  readonly expires_in: number;
  readonly scope?: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  /** RFC 8693 §2.2.1. */
  readonly issued_token_type?: string;
  /** RFC 9396 §7. */
  readonly authorization_details?: readonly AuthorizationDetail[];
}

function tokenTypeUrn(type: ExchangeTokenType): string {
  return `urn:ietf:params:oauth:token-type:${type}`;
}

/**
 * Response of a token exchange: the requested token is always in the member `access_token`, and `token_type` is `N_A`
 * unless it is an access token (RFC 8693 §2.2.1).
 * @throws invalid_request or invalid_scope for a type that this client or subject cannot have
 */
async function issueRequested(issue: Issue, type: ExchangeTokenType): Promise<TokenResponse> {
  const { redemption } = issue;
  const issued_token_type = tokenTypeUrn(type);
  if (type === 'access_token') {
    const response = { ...redemption.response, issued_token_type };
    return issueAll({ ...issue, redemption: { ...redemption, tokens: ['access'], response } });
  }
  const { token, expires_in } = await issuers[type](issue);
  const scope = redemption.scopes.length === 0 || type === 'id_token' ? {} : { scope: redemption.scopes.join(' ') };
  return {
    access_token: token,
    token_type: 'N_A',
    expires_in,
    ...scope,
    ...redemption.response,
    issued_token_type,
  };
}

type Issuer = (issue: Issue) => Promise<{ readonly token: string; readonly expires_in: number }>;

const issuers: Readonly<Record<Exclude<ExchangeTokenType, 'access_token'>, Issuer>> = {
  async jwt(issue) {
    const { token, exp } = await issueAccessToken(issue, 'JWT');
    return { token, expires_in: exp - issue.server.clock() };
  },
  async id_token(issue) {
    const { server, client, redemption } = issue;
    checkUser(issue, 'id_token');
    if (!redemption.scopes.includes('openid')) {
      throw invalidScope('scope_missing_openid', 'an ID token needs the scope openid, requested and granted before', {
        sent: redemption.scopes.join(' ') || 'no scope',
        expected: 'openid',
      });
    }
    const token = await issueIdToken(issue, {});
    if (token === undefined) throw unavailable('id_token', 'the subject is not a user');
    return { token, expires_in: remaining(issue, client.id_token_lifetime ?? server.lifetimes.idToken) };
  },
  async refresh_token(issue) {
    const { server, client } = issue;
    checkUser(issue, 'refresh_token');
    const token = await issueRefreshToken(issue);
    if (token === undefined) throw unavailable('refresh_token', 'this client is not registered for refresh_token');
    return { token, expires_in: remaining(issue, client.refresh_token_lifetime ?? server.lifetimes.refreshToken) };
  },
};

/** Refuses a client that acts for itself: it can ask again at any time, and has no user to describe. */
function checkUser({ server, redemption: { authorization } }: Issue, type: ExchangeTokenType): void {
  if (authorization.sub !== undefined && server.users.has(authorization.sub)) return;
  throw unavailable(type, 'the subject is not a user of this server');
}

function unavailable(type: ExchangeTokenType, why: string): OAuthError {
  const details = {
    sent: tokenTypeUrn(type),
    expected: `${tokenTypeUrn('access_token')}, or a subject that is a user`,
  };
  return invalidRequest('requested_token_type_unavailable', `no ${type} can be issued here: ${why}`, details);
}

function remaining({ server, redemption }: Issue, lifetime: number): number {
  return Math.min(lifetime, lastMoment(redemption) - server.clock());
}
