import type { AnyMembers } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { authorize } from '../../protocol/endpoints/authorize.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { userinfo } from '../../protocol/endpoints/userinfo.ts';
import { invalidRequest, invalidToken, type OAuthError } from '../../protocol/errors.ts';
import { parameter, rejectUnreadable } from '../../protocol/parameters.ts';
import { bearerToken } from '../../protocol/proofs/bearer-token.ts';
import { scopesIn } from '../../protocol/scope.ts';
import { findToken, verifiedClaims } from '../../protocol/tokens/find-token.ts';
import { certifiedKeys } from '../../protocol/tokens/key-certificate.ts';
import { readUnverified } from '../../protocol/unverified-jwt.ts';
import { loggedInUser } from '../../protocol/users/user-claims.ts';
import type { PresetPlace } from '../../sandbox/provider.ts';
import { jsonAnswer } from '../../server/http/answer.ts';
import { asJson, asPage, type ErrorForm } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { forClients, ownRoute, withQueryToken } from '../own-route.ts';
import { deviceCode, googleToken, revokeToken } from './endpoints.ts';

/** Endpoints of Google that are its own, or differ from the usual ones, and older addresses that SDKs still have. */
export function routes({ base, paths }: PresetPlace): readonly EndpointRoute[] {
  const own = ownRoute('Google');
  const tokenRules = { form: asJson, ...forClients, credentials: true } as const;
  const tokenPaths = [paths.token, '/oauth2/v4/token', '/o/oauth2/token'];
  const userinfoPaths = [paths.userinfo, '/oauth2/v3/userinfo'];
  const anyPlace = { form: asJson, ...forClients, body: 'anywhere' } as const;
  const forms = { form: asBearerError, ...forClients } as const;
  return [
    ...tokenPaths.map(path => own('token POST', base + path, 'token endpoint', googleToken, tokenRules)),
    ...userinfoPaths.map(path => own('userinfo GET POST', base + path, 'UserInfo', withQueryToken(userinfo), forms)),
    ...['/oauth2/v2/userinfo', '/oauth2/v1/userinfo'].map(path =>
      own(
        'userinfo GET POST',
        base + path,
        'UserInfo with the older names of its members',
        withQueryToken(olderUserinfo),
        forms,
      ),
    ),
    own('authorize GET POST', `${base}/o/oauth2/auth`, 'authorization endpoint, older address', authorize, {
      form: asPage,
    }),
    own('certs GET', `${base}/oauth2/v1/certs`, 'certificates of the public keys by `kid`', certificates, {
      form: asJson,
      cors: 'anyone',
      constant: true,
    }),
    own('revoke GET POST', base + paths.revoke, 'revocation endpoint', revokeToken, anyPlace),
    own('tokeninfo GET POST', `${base}/tokeninfo`, 'claims of a token, as texts', tokeninfo, anyPlace),
    own('device_authorization POST', base + paths.deviceAuthorization, 'device authorization', deviceCode, {
      form: asJson,
      ...forClients,
      feature: 'device',
    }),
  ];
}

async function olderUserinfo(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const reply = await userinfo(server, request);
  if (reply.kind !== 'json') return reply;
  const { sub: id, email_verified: verified_email, ...others } = reply.body as AnyMembers; // UserInfo is JSON
  return { ...reply, body: { id, ...others, ...(verified_email === undefined ? {} : { verified_email }) } };
}

/**
 * The claims of an ID token or of an access token, which may also be in the Authorization header. Every value is a text, also
 * numbers and booleans.
 */
async function tokeninfo(server: AuthorizationServer, { parameters, authorization }: EndpointRequest): Promise<Reply> {
  rejectUnreadable(parameters);
  const idToken = parameter(parameters, 'id_token');
  const accessToken = parameter(parameters, 'access_token') ?? bearerToken(authorization);
  if (idToken === undefined && accessToken === undefined) {
    const expected = 'id_token or access_token';
    throw invalidRequest('token_type_unsupported', 'either access_token or id_token required', { expected });
  }
  const about = idToken === undefined ? await aboutAccess(server, accessToken ?? '') : await aboutId(server, idToken);
  return { kind: 'json', status: 200, body: inTexts(about) };
}

function inTexts(members: AnyMembers): AnyMembers {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

async function aboutId(server: AuthorizationServer, token: string): Promise<AnyMembers> {
  const claims = await verifiedClaims(server, token, 'JWT');
  if (claims === undefined || (claims.exp ?? 0) <= server.clock()) throw invalidValue();
  const { alg, kid, typ } = readUnverified(token);
  return { ...claims, alg, kid, typ };
}

async function aboutAccess(server: AuthorizationServer, token: string): Promise<AnyMembers> {
  const found = await findToken(server, token, 'access_token');
  if (found?.type !== 'access_token' || found.state !== 'active') throw invalidValue();
  const { sub, exp = 0, scope } = found.claims;
  const scopes = scopesIn(scope);
  const user = loggedInUser(server, { sub: String(sub) });
  const { email, email_verified } = user?.claims ?? {};
  return {
    azp: found.client_id,
    aud: found.client_id,
    ...(scopes.includes('openid') ? { sub } : {}),
    scope: server.dialect?.writeScopes(scopes),
    exp,
    expires_in: exp - server.clock(),
    ...(scopes.includes('email') ? { email, email_verified } : {}),
  };
}

function invalidValue(): OAuthError {
  return invalidToken('access_token_unreadable', 'Invalid Value', { status: 400 });
}

/** The keys as X.509 certificates in PEM (RFC 7468 §5), by `kid`. */
async function certificates(server: AuthorizationServer): Promise<Reply> {
  const { keys } = await certifiedKeys(server);
  const pems = keys.flatMap(({ kid, kty, x5c }) => (kty === 'RSA' && x5c ? [[kid, pemOf(x5c[0])] as const] : []));
  return { kind: 'json', status: 200, body: Object.fromEntries(pems) };
}

function pemOf(der = ''): string {
  const lines = der.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** Errors of UserInfo: one text for every token that is not accepted, with a challenge. */
const asBearerError: ErrorForm = {
  name: 'challenge',
  async answer({ status, code, description }) {
    if (status !== 401) return jsonAnswer(status, { error: code, error_description: description });
    const challenge = 'Bearer realm="https://accounts.google.com/", error="invalid_token"';
    const body = { error: 'invalid_request', error_description: 'Invalid Credentials' };
    return jsonAnswer(401, body, { 'WWW-Authenticate': challenge });
  },
};

/** Names of statuses in errors of Google's APIs (google.rpc.Code). */
const names: Readonly<Record<number, string>> = { 404: 'NOT_FOUND', 405: 'INVALID_ARGUMENT', 501: 'UNIMPLEMENTED' };

/** Errors of Google's APIs, with the nearest offer of the sandbox. */
export const asApiError: ErrorForm = {
  name: 'json',
  async answer({ status, description, details: { expected, headers } }) {
    const message = expected === undefined ? description : `${description}. ${expected}`;
    const error = { code: status, message, status: names[status] ?? 'INVALID_ARGUMENT' };
    return jsonAnswer(status, { error }, headers);
  },
};
