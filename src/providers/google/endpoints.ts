import type { Authorization } from '../../protocol/authorization.ts';
import { type AuthorizationServer, addressesOf, type ClientCall } from '../../protocol/authorization-server.ts';
import { areTimes, checkBegun, checkByEitherClock, checkNotExpired } from '../../protocol/client-time.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { findClient } from '../../protocol/clients/find-client.ts';
import {
  checkOwnersSignature,
  type JwtForm,
  readSignedJwt,
  type SignatureProblems,
} from '../../protocol/clients/signed-jwt.ts';
import type { RequestForm, ResponseForm, ScopeForm } from '../../protocol/dialects/dialect-data.ts';
import { forgetGrant, ourScopes } from '../../protocol/dialects/wire.ts';
import { authorizeDevice, deviceAuthorization } from '../../protocol/endpoints/device-authorization.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { endAuthorization } from '../../protocol/endpoints/revoke.ts';
import { token } from '../../protocol/endpoints/token.ts';
import {
  type ErrorDetails,
  invalidGrant,
  invalidScope,
  invalidToken,
  type OAuthError,
  type Reason,
} from '../../protocol/errors.ts';
import {
  describeValue,
  type RequestParameters,
  rejectUnreadable,
  requiredParameter,
  shorten,
} from '../../protocol/parameters.ts';
import { askedScopes } from '../../protocol/requests/requested-access.ts';
import { knownClient } from '../../protocol/requests/trusted-target.ts';
import { findToken } from '../../protocol/tokens/find-token.ts';
import { issueTokens } from '../../protocol/tokens/issue-tokens.ts';
import { signJwt } from '../../protocol/tokens/signing-key.ts';
import type { UnverifiedJwt } from '../../protocol/unverified-jwt.ts';
import { withoutKeptRefreshToken } from '../own-route.ts';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The token endpoint. A service account proves itself by its assertion alone. */
export async function googleToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters, authorization } = request;
  const { values } = parameters;
  const isAlone = authorization === undefined && !values.has('client_id') && !values.has('client_assertion');
  if (isAlone && values.get('grant_type') === jwtBearer) return serviceAccountToken(server, request);
  const reply = await token(server, { ...request, parameters: inOurScopes(server, parameters) });
  return withoutKeptRefreshToken(reply, request);
}

/** Device authorization. A device sends its `client_id` alone, and the secret only with its polls. */
export async function deviceCode(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const asked = { ...request, parameters: inOurScopes(server, request.parameters) };
  const isProved = request.authorization !== undefined || request.parameters.values.has('client_secret');
  const reply = await (isProved ? deviceAuthorization(server, asked) : namedDevice(server, asked));
  if (reply.kind !== 'json' || !('verification_uri' in reply.body)) return reply;
  return { ...reply, body: { ...reply.body, verification_url: reply.body.verification_uri } };
}

async function namedDevice(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  rejectUnreadable(request.parameters);
  const client_id = requiredParameter(request.parameters, 'client_id');
  return authorizeDevice(server, request, await knownClient(server, client_id, request.emit));
}

function inOurScopes(server: AuthorizationServer, parameters: RequestParameters): RequestParameters {
  const scope = ourScopes(server, scopes, parameters.values.get('scope'));
  return scope === undefined
    ? parameters
    : { ...parameters, values: new Map([...parameters.values, ['scope', scope]]) };
}

/**
 * Ends the grant behind a token. The caller needs the token alone, and no credential. The next login of the user gives a
 * refresh token again.
 */
export async function revokeToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters, emit } = request;
  rejectUnreadable(parameters);
  const token = requiredParameter(parameters, 'token');
  const found = await findToken(server, token);
  if (found?.state !== 'active' && found?.state !== 'replaced') {
    throw invalidToken('access_token_revoked', 'Token expired or revoked', { status: 400 });
  }
  await endAuthorization(server, token, found, emit);
  await forgetGrant(server, [found.client_id, String(found.record?.authorization.sub ?? found.claims.sub)]);
  return { kind: 'json', status: 200, body: {} };
}

type Claims = UnverifiedJwt['claims'];

/** Seconds that an assertion may live. */
const longest = 3600;
const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * A token for a service account, which is a client with the grant `jwt-bearer` whose `client_id` is its e-mail address. Its
 * assertion has `scope` for an access token, or `target_audience` for an ID token; with `sub` it acts for a user.
 */
async function serviceAccountToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters, emit } = request;
  rejectUnreadable(parameters);
  const jwt = requiredParameter(parameters, 'assertion');
  const { claims, alg, kid } = readSignedJwt(jwt, form, invalidGrant);
  const client = await accountOf(server, claims);
  emit({ type: 'client.authenticated', client_id: client.client_id, method: 'private_key_jwt' });
  await checkOwnersSignature({ server, owner: client, emit }, jwt, { alg, kid }, problems, invalidGrant);
  checkClaims(server, claims);
  const { target_audience: audience } = claims;
  if (typeof audience === 'string') {
    return json({ id_token: await serviceAccountIdToken({ server, client, emit }, audience) });
  }
  const scopes = askedScopes(server, client, typeof claims.scope === 'string' ? claims.scope : undefined);
  if (scopes.length === 0) throw noScope();
  const authorization: Authorization = {
    id: server.random.id(),
    client_id: client.client_id,
    grant_type,
    scopes,
    resources: [],
    ...actingFor(server, claims),
  };
  const redemption = { authorization, scopes, resources: [], tokens: ['access'] } as const;
  const { access_token, expires_in, token_type } = await issueTokens({ server, client, redemption, emit });
  return json({ access_token, expires_in, token_type });
}

function json(body: object): Reply {
  return { kind: 'json', status: 200, body };
}

const form: JwtForm = {
  malformed: {
    reason: 'assertion_malformed',
    description: 'the assertion is not a signed JWT',
    expected: 'a JWT that the service account signs',
  },
};

const wrong = {
  reason: 'assertion_signature_wrong',
  description: 'the signature of the assertion does not match a key of the service account',
  expected: 'a key in jwks of the client',
} as const;
const problems: SignatureProblems = { keyUnknown: wrong, signatureWrong: wrong, keysUnavailable: wrong };

async function accountOf(server: AuthorizationServer, { iss }: Claims): Promise<RegisteredClient> {
  const client = typeof iss === 'string' ? await findClient(server, iss) : undefined;
  const isAccount = client?.grant_types.includes(grant_type) && (client.jwks ?? client.jwks_uri) !== undefined;
  if (client !== undefined && isAccount) return client;
  throw refused('assertion_issuer_untrusted', 'iss of the assertion is no service account', {
    sent: describeValue(iss ?? 'no iss'),
    expected: `the client_id of a client with jwks and the grant ${grant_type}`,
  });
}

function checkClaims(server: AuthorizationServer, claims: Claims): void {
  const { aud, exp, iat } = claims;
  const ours = [server.iss, ...addressesOf(server, server.paths.token), 'https://oauth2.googleapis.com/token'];
  if (![aud].flat().some(value => value !== undefined && ours.includes(value))) {
    const details = { sent: shorten(JSON.stringify(aud) ?? 'no aud'), expected: ours.join(' or ') };
    throw refused('assertion_audience_mismatch', 'aud of the assertion is not this server', details);
  }
  if (exp === undefined || iat === undefined || !areTimes(exp, iat) || exp - iat > longest) {
    const details = { expected: `exp and iat in seconds since 1970, at most ${longest} s apart` };
    throw refused('assertion_time_malformed', 'exp or iat of the assertion is missing, or it lives too long', details);
  }
  const times = { name: 'the assertion', kind: 'assertion' } as const;
  checkByEitherClock(server, now => {
    checkNotExpired(now, claims, times, invalidGrant);
    checkBegun(now, claims, times, invalidGrant);
  });
}

/** Domain-wide delegation: the user whose e-mail address is `sub`. */
function actingFor(server: AuthorizationServer, { sub, iss }: Claims): Pick<Authorization, 'sub'> {
  if (sub === undefined || sub === iss) return {};
  const user = [...server.users.values()].find(each => each.claims.email === sub || each.sub === sub);
  if (user !== undefined) return { sub: user.sub };
  const details = { sent: shorten(sub), expected: 'the e-mail address of a user' };
  throw refused('assertion_subject_unknown', 'sub of the assertion is no user', details);
}

function noScope(): OAuthError {
  return invalidScope('scope_malformed', 'Invalid OAuth scope or ID token audience provided.', {
    expected: 'scope or target_audience in the assertion',
  });
}

function refused(reason: Reason, description: string, details: ErrorDetails): OAuthError {
  return invalidGrant(reason, description, details);
}

/** An ID token about a service account itself, for an API that expects `audience`. */
async function serviceAccountIdToken({ server, client, emit }: ClientCall, audience: string): Promise<string> {
  const { client_id } = client;
  const iat = server.clock();
  const exp = iat + client.access_token_lifetime;
  const about = { azp: client_id, sub: client_id, email: client_id, email_verified: true };
  const key = await server.keys.forAlg(client.id_token_signed_response_alg);
  const token = await signJwt(key, 'JWT', { iss: server.iss, aud: audience, ...about, iat, exp });
  const ids = { tokenId: server.random.tokenId(), authorizationId: server.random.id() };
  const { kid, alg } = key;
  emit({
    type: 'token.issued',
    ...ids,
    token,
    client_id,
    grant_type,
    iat,
    exp,
    tokenType: 'id',
    format: 'jwt',
    kid,
    alg,
  });
  return token;
}

const auth = 'https://www.googleapis.com/auth/';

/** `email` and `profile` have a long name, which answers have. Either of them brings `openid`. */
export const scopes: ScopeForm = {
  names: { [`${auth}userinfo.email`]: 'email', [`${auth}userinfo.profile`]: 'profile' },
  adds: [{ scope: 'openid', with: ['email', 'profile'] }],
};

export const requests: RequestForm = { parameters: ['access_type', 'include_granted_scopes'] };

export const responses: ResponseForm = {
  omit: ['iss', 'session_state'],
  rules: [
    { claims: { scope: '${scopes}', authuser: '0', prompt: 'none' } },
    { when: 'consent', claims: { prompt: 'consent' } },
    { claims: { hd: '${user.claims.tenant}' } },
  ],
  offline: { parameter: 'access_type', value: 'offline' },
  addsEarlierScopes: 'include_granted_scopes',
};
