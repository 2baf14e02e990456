import type { Authorization } from '../../protocol/authorization.ts';
import { type AuthorizationServer, addressesOf, type ClientCall } from '../../protocol/authorization-server.ts';
import { areTimes, checkBegun, checkByEitherClock, checkNotExpired } from '../../protocol/client-time.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { findClient } from '../../protocol/clients/find-client.ts';
import {
  checkOwnersSignature,
  type JwtForm,
  readSignedJwt,
  type SignatureFaults,
} from '../../protocol/clients/signed-jwt.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { type ErrorDetails, invalidGrant, invalidScope, type OAuthError, type Reason } from '../../protocol/errors.ts';
import { describeValue, rejectUnreadable, requiredParameter, shorten } from '../../protocol/parameters.ts';
import { askedScopes } from '../../protocol/requests/requested-access.ts';
import { issueTokens } from '../../protocol/tokens/issue-tokens.ts';
import { signJwt } from '../../protocol/tokens/signing-key.ts';
import type { UnverifiedJwt } from '../../protocol/unverified-jwt.ts';

type Claims = UnverifiedJwt['claims'];

/** Seconds that an assertion may live. */
const longest = 3600;
const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * A token for a service account, which is a client with the grant `jwt-bearer` whose `client_id` is its e-mail address. Its
 * assertion has `scope` for an access token, or `target_audience` for an ID token; with `sub` it acts for a user.
 */
export async function serviceAccountToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters, emit } = request;
  rejectUnreadable(parameters);
  const jwt = requiredParameter(parameters, 'assertion');
  const { claims, alg, kid } = readSignedJwt(jwt, form, invalidGrant);
  const client = await accountOf(server, claims);
  emit({ type: 'client.authenticated', client_id: client.client_id, method: 'private_key_jwt' });
  await checkOwnersSignature({ server, owner: client, emit }, jwt, { alg, kid }, faults, invalidGrant);
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
const faults: SignatureFaults = { keyUnknown: wrong, signatureWrong: wrong, keysUnavailable: wrong };

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
