import { defined } from '../../base/defined.ts';
import type { ChangeProblem } from '../../base/events/change.ts';
import type { TokenIssued } from '../../base/events/event.ts';
import type { Authorization, Redemption } from '../../protocol/authorization.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { finishedClaims } from '../../protocol/finished-claims.ts';
import { isSameJson, type ParsedObject } from '../../protocol/json-parameter.ts';
import { putAuthorization } from '../../protocol/kept-authorizations.ts';
import { shorten } from '../../protocol/parameters.ts';
import { knownClient } from '../../protocol/requests/trusted-target.ts';
import { formatScope, parseScope, scopeToken } from '../../protocol/scope.ts';
import { accessTokenClaims } from '../../protocol/tokens/access-token.ts';
import { idTokenClaims, idTokenKey } from '../../protocol/tokens/id-token.ts';
import { issueRefreshToken } from '../../protocol/tokens/issue-tokens.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { defects, isOfJwt, type Times, withTimes } from '../../server/faults/defects.ts';
import type { Defect } from '../../server/faults/fault-names.ts';
import { forgeJwt, withoutNull } from '../../server/faults/forge-jwt.ts';
import { type AskedIssuer, knownUser } from './known-user.ts';
import type { CheckedMint, MintType } from './mint-request.ts';
import { refusedInput } from './refusal.ts';

/** A token that was made without a grant. */
export interface MintedToken {
  /** The token as a client would get it. */
  readonly token: string;
  readonly type: MintType;
  /** `tok_…`: its page in the dashboard, and its name in events. */
  readonly tokenId: string;
  /** Seconds from now to its end; negative for one that has ended. */
  readonly expires_in: number;
  /** Header of a JWT. */
  readonly header?: ParsedObject;
  /** Claims of the token, or those stored for it; absent for a refresh token. */
  readonly claims?: ParsedObject;
  /** The deliberate defect of the token; absent for a valid token. */
  readonly defect?: Defect;
}

/** State of one minting. */
interface Mint extends AskedIssuer {
  readonly request: CheckedMint;
  readonly client: RegisteredClient;
  readonly redemption: Redemption;
  readonly times: Times;
}

/**
 * Makes a token for any client and user, with the functions that make real tokens, and with the requested defect. A token without
 * a defect works like a real one.
 * @throws invalid_request that names the impossible part of the request
 */
export async function mintToken(parts: AskedIssuer, request: CheckedMint): Promise<MintedToken> {
  const { emit } = parts;
  const now = parts.server.clock();
  const server = { ...parts.server, clock: () => now }; // a key may have to be made first, and that takes its time
  const client = await knownClient(server, request.client, emit);
  const user = request.user === undefined ? undefined : knownUser(server, 'user', request.user);
  checkMint(client, request);
  const times = timesOf(server, client, request);
  const redemption = redemptionOf(server, client, user, request, times);
  const mint = { server, emit, request, client, redemption, times };
  if (request.type === 'refresh') return mintRefreshToken(mint);
  return request.type === 'id' ? mintIdToken(mint) : mintAccessToken(mint);
}

async function mintAccessToken(mint: Mint): Promise<MintedToken> {
  const { server, client, redemption, request } = mint;
  const tokenId = server.random.tokenId();
  const { own, written } = await formsOf(
    mint,
    'accessToken',
    accessTokenClaims(server, client, redemption, { tokenId }),
  );
  await rememberForUserInfo(mint);
  const format = request.format ?? client.access_token_format;
  if (format === 'jwt') {
    const minted = await mintJwt(mint, { tokenId, ...written, typ: 'at+jwt' });
    await server.dialect?.keepClaims(server, minted.token, own.claims, mint.times.exp);
    return minted;
  }
  const token = server.random.secret();
  const { exp } = mint.times;
  if (exp > server.clock()) await server.store.put(['access_token', token], own.claims, exp - server.clock());
  return told(mint, { tokenId, token, tokenType: 'access', format: 'opaque', ...own }, { claims: own.claims });
}

/** UserInfo must know whom a pairwise `sub` is, and the grant for rules. */
async function rememberForUserInfo({ server, client, redemption: { authorization }, request }: Mint): Promise<void> {
  const isPairwise = client.subject_type === 'pairwise' && authorization.sub !== undefined;
  if (request.claims?.sub !== undefined) return;
  if (isPairwise || server.tokenRules !== undefined) await putAuthorization(server, authorization);
}

/** As where no access token is issued beside it: with the claims of its scopes (OIDC Core §5.4). */
async function mintIdToken(mint: Mint): Promise<MintedToken> {
  const { server, client, redemption } = mint;
  const { sub = client.client_id } = redemption.authorization;
  const usual = idTokenClaims(server, client, { ...redemption.authorization, sub }, { scopes: redemption.scopes });
  const { written } = await formsOf(mint, 'idToken', usual);
  return mintJwt(mint, { tokenId: server.random.tokenId(), ...written, typ: 'JWT' });
}

/** The claims in our own form, and as clients read them. */
async function formsOf(
  mint: Mint,
  kind: 'accessToken' | 'idToken',
  usual: ParsedObject,
): Promise<{ readonly own: Claims; readonly written: Claims }> {
  const { server, client, redemption } = mint;
  const { own, written, origins } = await finishedClaims(kind, { server, client, ...redemption }, usual);
  return { own: asWanted(mint, own, defined({ ruled: origins.ruled })), written: asWanted(mint, written, origins) };
}

/** Claims, with the names of those that a preset or a rule set, or the request. */
interface Claims extends Pick<TokenIssued, 'edited' | 'written' | 'ruled'> {
  readonly claims: ParsedObject;
}

function asWanted(mint: Mint, usual: ParsedObject, { ruled, ...origins }: Omit<Claims, 'claims' | 'edited'>): Claims {
  const claims = wantedClaims(mint, usual);
  const isAsked = (name: string) => name === 'aud' && mint.request.audience !== undefined;
  const names = Object.keys(claims).filter(name => isAsked(name) || !isSameJson(claims[name], usual[name]));
  const edited = names.length === 0 ? undefined : names;
  const kept = ruled && Object.fromEntries(Object.entries(ruled).filter(([name]) => !names.includes(name)));
  return { claims, ...origins, ...defined({ edited, ruled: kept }) };
}

/** The claims with the times, and then what was asked for, and then what is to be wrong. */
function wantedClaims({ request, times }: Mint, usual: ParsedObject): ParsedObject {
  const { defect, audience, type, missing = 'exp' } = request;
  const aud = audience !== undefined && type === 'id' ? { aud: audience } : {};
  const wanted = withoutNull({ ...withTimes(usual, times), ...aud, ...request.claims });
  return (defect && defects[defect].claims?.(wanted, missing)) ?? wanted;
}

interface Unsigned extends Claims {
  readonly tokenId: string;
  readonly typ: 'at+jwt' | 'JWT';
}

async function mintJwt(mint: Mint, { tokenId, claims, typ, ...edited }: Unsigned): Promise<MintedToken> {
  const { server, client, request } = mint;
  const use = typ === 'at+jwt' ? 'access' : undefined;
  const isUsual = typ === 'JWT' && request.alg === undefined;
  const key = isUsual
    ? await idTokenKey(server, client)
    : await server.keys.forAlg(request.alg ?? server.signingAlg, use);
  const { token: signed, header } = await forgeJwt({
    key,
    typ: typ === 'at+jwt' ? (server.dialect?.accessTokenType ?? typ) : typ,
    claims,
    header: request.header ?? {},
    defect: request.defect,
  });
  const token = typ === 'JWT' ? await sealed(mint, signed) : signed;
  const tokenType = typ === 'JWT' ? 'id' : 'access';
  const inside = token === signed ? {} : { signed };
  const { kid, alg } = header;
  const named = { ...(typeof kid === 'string' ? { kid } : {}), ...(typeof alg === 'string' ? { alg } : {}) };
  return told(mint, { tokenId, token, tokenType, format: 'jwt', ...named, ...inside, ...edited }, { header, claims });
}

/** Encrypted where the client is registered for that, as a real one (OIDC Core §2). */
async function sealed({ server, client, emit }: Mint, idToken: string): Promise<string> {
  const { id_token_encrypted_response_alg: alg, id_token_encrypted_response_enc: enc } = client;
  if (alg === undefined) return idToken;
  const { encryptJwt } = await import('../../protocol/tokens/encrypt-jwt.ts');
  return encryptJwt({ server, client, emit }, idToken, { alg, enc });
}

/** By the function that issues real ones, as nothing of it can be seen from outside. */
async function mintRefreshToken(mint: Mint): Promise<MintedToken> {
  const { server, emit, request, times } = mint;
  const lifetime = times.exp - server.clock();
  let tokenId = '';
  const token = await issueRefreshToken({
    ...mint,
    client: { ...mint.client, refresh_token_lifetime: lifetime },
    emit(fact) {
      if (fact.type === 'token.issued') tokenId = fact.tokenId;
      emit(fact.type === 'token.issued' ? { ...fact, minted: true } : fact);
    },
  });
  return { token: token ?? '', type: request.type ?? 'refresh', tokenId, expires_in: lifetime };
}

type Told = Pick<TokenIssued, 'tokenId' | 'token' | 'tokenType' | 'format' | 'kid' | 'alg' | 'signed' | 'claims'> &
  Omit<Claims, 'claims'>;

function told(
  { server, emit, client, redemption, request, times }: Mint,
  issued: Told,
  shown: Pick<MintedToken, 'header' | 'claims'>,
): MintedToken {
  const { authorization, scopes, resources } = redemption;
  const scope = formatScope(scopes);
  const defect = request.defect === undefined ? {} : { defect: request.defect };
  const { iat, exp } = times;
  emit({
    type: 'token.issued',
    ...issued,
    iat,
    exp,
    authorizationId: authorization.id,
    client_id: client.client_id,
    grant_type: authorization.grant_type,
    ...defined({ sub: authorization.sub, scope }),
    ...(resources.length === 0 ? {} : { resources }),
    minted: true,
    ...defect,
  });
  const { token, tokenId, tokenType } = issued;
  return { token, type: tokenType, tokenId, expires_in: exp - server.clock(), ...shown, ...defect };
}

/**
 * Checks that members go together, which the schema cannot express.
 * @throws invalid_request that names every conflict
 */
function checkMint(client: RegisteredClient, request: CheckedMint): void {
  const problems = [...scopeProblems(request), ...defectProblems(request), ...typeProblems(client, request)];
  if (problems.length > 0) throw refusedInput(problems);
}

function scopeProblems({ scope }: CheckedMint): ChangeProblem[] {
  const malformed = parseScope(scope).find(token => !scopeToken.test(token));
  if (malformed === undefined) return [];
  return [{ member: 'scope', sent: shorten(malformed), expected: 'printable ASCII without quotes' }];
}

function defectProblems({ defect, missing, lifetime = 1, type }: CheckedMint): ChangeProblem[] {
  const problems: ChangeProblem[] = [];
  if (missing !== undefined && defect !== 'missing_claim') {
    problems.push({ member: 'missing', sent: shorten(missing), expected: 'nothing, without the defect missing_claim' });
  }
  if (defect === 'not_yet_valid' && lifetime <= 0) {
    problems.push({
      member: 'lifetime',
      sent: String(lifetime),
      expected: 'a positive lifetime: the token begins in an hour',
    });
  }
  if (defect !== undefined && defects[defect].tokens !== undefined && type !== 'id') {
    problems.push({ member: 'defect', sent: defect, expected: 'a different defect: only an ID token has a nonce' });
  }
  return problems;
}

function typeProblems(client: RegisteredClient, request: CheckedMint): ChangeProblem[] {
  const { type = 'access', user } = request;
  if (type !== 'access') {
    const name = type === 'id' ? 'an ID token' : 'a refresh token';
    const nobody = user === undefined ? [{ member: 'user', expected: `a user: ${name} belongs to a user` }] : [];
    const format = unwanted(request, ['format'], 'nothing: only an access token can have either format');
    return [...nobody, ...format, ...(type === 'refresh' ? refreshProblems(client, request) : [])];
  }
  const format = request.format ?? client.access_token_format;
  return format === 'opaque' ? opaqueProblems(request) : [];
}

function refreshProblems({ client_id, grant_types }: RegisteredClient, request: CheckedMint): ChangeProblem[] {
  const { lifetime = 1 } = request;
  const said = unwanted(
    request,
    ['audience', 'claims', 'header', 'alg', 'defect'],
    'nothing: a refresh token has no claims',
  );
  const grant = { member: 'client', sent: client_id, expected: 'a client that is registered for refresh_token' };
  const over = {
    member: 'lifetime',
    sent: String(lifetime),
    expected: 'a positive lifetime: expired refresh tokens are not kept',
  };
  return [...said, ...(grant_types.includes('refresh_token') ? [] : [grant]), ...(lifetime > 0 ? [] : [over])];
}

/** An opaque token has no header and no signature. */
function opaqueProblems(request: CheckedMint): ChangeProblem[] {
  const { defect } = request;
  const said = unwanted(request, ['header', 'alg'], 'nothing for an opaque token, or format jwt');
  if (defect === undefined || !isOfJwt(defect)) return said;
  return [
    ...said,
    { member: 'defect', sent: defect, expected: 'a defect that an opaque token can have, or format jwt' },
  ];
}

function unwanted(request: CheckedMint, members: readonly (keyof CheckedMint)[], expected: string): ChangeProblem[] {
  return members.flatMap(member => {
    const value = request[member];
    return value === undefined ? [] : [{ member, sent: shorten(JSON.stringify(value)), expected }];
  });
}

/** The times of a token. One that has ended lived as long as its kind does. */
function timesOf(server: AuthorizationServer, client: RegisteredClient, request: CheckedMint): Times {
  const now = server.clock();
  const usual = usualLifetime(server, client, request.type);
  const { lifetime = usual, defect } = request;
  const times = { iat: lifetime < 0 ? now + lifetime - usual : now, exp: now + lifetime };
  return (defect && defects[defect].times?.(times, now)) ?? times;
}

function usualLifetime({ lifetimes }: AuthorizationServer, client: RegisteredClient, type?: MintType): number {
  if (type === 'id') return client.id_token_lifetime ?? lifetimes.idToken;
  return type === 'refresh' ? (client.refresh_token_lifetime ?? lifetimes.refreshToken) : client.access_token_lifetime;
}

/** The grant a real request would have had. It has no session at this server, so there is no `sid`. */
function redemptionOf(
  server: AuthorizationServer,
  client: RegisteredClient,
  user: TestUser | undefined,
  { scope = client.scope, audience = [], type }: CheckedMint,
  { iat }: Times,
): Redemption {
  const scopes = parseScope(scope);
  const resources = type === 'id' ? [] : [audience].flat();
  const login = { auth_time: Math.min(iat, server.clock()), acr: '0', amr: ['user'] };
  const authorization: Authorization = {
    id: server.random.id(),
    client_id: client.client_id,
    grant_type: 'mint',
    scopes,
    resources,
    ...(user === undefined ? {} : { sub: user.sub, session: login }),
  };
  const isList = Array.isArray(audience) && resources.length === 1;
  return { authorization, scopes, resources, ...(isList && { isResourceList: true }) };
}
