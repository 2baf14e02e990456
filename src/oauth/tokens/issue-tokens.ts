import type { Emit, TokenIssued } from '../../events/event.ts';
import type { Authorization, Redemption } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../client.ts';
import { randomSecret, randomTokenId } from '../random.ts';
import { putRefreshToken } from '../refresh-token.ts';
import { formatScope } from '../scope.ts';
import { type AccessTokenClaims, accessTokenClaims } from './access-token.ts';
import { idTokenClaims } from './id-token.ts';
import { signJwt } from './sign-jwt.ts';

/** RFC 6749 §5.1, OIDC Core §3.1.3.3. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope?: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
}

interface Issue {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly redemption: Redemption;
  readonly emit: Emit;
}

/** The only place tokens are born. Emits `token.issued` for each. */
export async function issueTokens(
  server: AuthorizationServer,
  client: RegisteredClient,
  redemption: Redemption,
  emit: Emit,
): Promise<TokenResponse> {
  const issue: Issue = { server, client, redemption, emit };
  const scope = formatScope(redemption.scopes);
  const access_token = await issueAccessToken(issue);
  const id_token = await issueIdToken(issue, access_token);
  const refresh_token = await issueRefreshToken(issue);
  return {
    access_token,
    token_type: 'Bearer',
    expires_in: client.access_token_lifetime,
    ...(scope === undefined ? {} : { scope }),
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(id_token === undefined ? {} : { id_token }),
  };
}

async function issueAccessToken({ server, client, redemption, emit }: Issue): Promise<string> {
  const tokenId = randomTokenId();
  const claims = accessTokenClaims(server, client, redemption, tokenId);
  if (client.access_token_format === 'opaque') {
    const token = await putOpaqueToken(server, claims, client.access_token_lifetime);
    emit({
      ...fact(redemption, client, { tokenId, token, exp: claims.exp, iat: claims.iat }),
      tokenType: 'access',
      format: 'opaque',
    });
    return token;
  }
  const key = await server.keys.forAlg(server.signingAlg);
  const token = await signJwt(key, 'at+jwt', claims);
  const facts = fact(redemption, client, { tokenId, token, exp: claims.exp, iat: claims.iat });
  emit({ ...facts, tokenType: 'access', format: 'jwt', kid: key.kid, alg: key.alg });
  return token;
}

async function putOpaqueToken(
  server: AuthorizationServer,
  claims: AccessTokenClaims,
  lifetime: number,
): Promise<string> {
  const token = randomSecret();
  await server.store.put(['access_token', token], claims, lifetime);
  return token;
}

/** Only when `openid` was granted (OIDC Core §3.1.2.1), and only for a user. */
async function issueIdToken(issue: Issue, accessToken: string): Promise<string | undefined> {
  const { server, client, redemption, emit } = issue;
  const { authorization, scopes } = redemption;
  if (!hasUser(authorization) || !scopes.includes('openid')) return undefined;
  const key = await server.keys.forAlg(client.id_token_signed_response_alg);
  const token = await signJwt(key, 'JWT', idTokenClaims(server, client, authorization, { scopes, accessToken }));
  const iat = server.clock();
  const exp = iat + server.lifetimes.idToken;
  const facts = fact(redemption, client, { tokenId: randomTokenId(), token, iat, exp });
  emit({ ...facts, tokenType: 'id', format: 'jwt', kid: key.kid, alg: key.alg });
  return token;
}

function hasUser(authorization: Authorization): authorization is Authorization & { readonly sub: string } {
  return authorization.sub !== undefined;
}

/** To every client registered for it that acts for a user; public ones too, as they rotate (RFC 9700 §2.2.2). */
async function issueRefreshToken({ server, client, redemption, emit }: Issue): Promise<string | undefined> {
  const { authorization } = redemption;
  if (redemption.refreshToken !== undefined) return redemption.refreshToken;
  if (authorization.sub === undefined || !client.grant_types.includes('refresh_token')) return undefined;
  const token = randomSecret();
  const tokenId = randomTokenId();
  const iat = server.clock();
  await putRefreshToken(server, token, { authorization, tokenId });
  const facts = fact(redemption, client, { tokenId, token, iat, exp: iat + server.lifetimes.refreshToken });
  const scope = formatScope(authorization.scopes);
  emit({ ...facts, ...(scope === undefined ? {} : { scope }), tokenType: 'refresh', format: 'opaque' });
  return token;
}

type Facts = Omit<TokenIssued, 'tokenType' | 'format' | 'kid' | 'alg'>;

function fact(
  { authorization, scopes, parentTokenId }: Redemption,
  client: RegisteredClient,
  token: Pick<TokenIssued, 'tokenId' | 'token' | 'iat' | 'exp'>,
): Facts {
  const scope = formatScope(scopes);
  return {
    type: 'token.issued',
    ...token,
    authorizationId: authorization.id,
    client_id: client.client_id,
    grant_type: authorization.grant_type,
    ...(parentTokenId === undefined ? {} : { parentTokenId }),
    ...(authorization.sub === undefined ? {} : { sub: authorization.sub }),
    ...(scope === undefined ? {} : { scope }),
  };
}
