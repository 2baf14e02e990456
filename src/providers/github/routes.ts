import type { Confirmation } from '../../protocol/authorization.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { ScopeForm } from '../../protocol/dialects/dialect-data.ts';
import { ourScopes } from '../../protocol/dialects/wire.ts';
import { authorizeDevice } from '../../protocol/endpoints/device-authorization.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { token, tokensFor } from '../../protocol/endpoints/token.ts';
import { invalidGrant, invalidToken, OAuthError } from '../../protocol/errors.ts';
import type { CodeRecord } from '../../protocol/kept-authorizations.ts';
import { rejectUnreadable, requiredParameter } from '../../protocol/parameters.ts';
import { bearerToken, noAccessToken } from '../../protocol/proofs/bearer-token.ts';
import { checkBinding } from '../../protocol/proofs/sender-constraint.ts';
import { knownClient } from '../../protocol/requests/trusted-target.ts';
import { identityScopes, scopesIn } from '../../protocol/scope.ts';
import { parseTokenIdentifier } from '../../protocol/tokens/access-token.ts';
import { verifyAccessToken } from '../../protocol/tokens/verify-access-token.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { loggedInUser } from '../../protocol/users/user-claims.ts';
import type { PresetPlace } from '../../sandbox/provider.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { forClients, ownRoute } from '../own-route.ts';
import { asApiError, asTokenError, encoded } from './error-forms.ts';
import { type Addresses, emailsJson, organizationsJson, userJson } from './user.ts';

/** Endpoints of GitHub that are its own, or differ from the usual ones. GitHub Enterprise has the API below `/api/v3`. */
export function routes({ base, paths }: PresetPlace): readonly EndpointRoute[] {
  const own = ownRoute('GitHub');
  const tokenRules = { form: asTokenError, ...forClients, body: 'parameters' } as const;
  const apiRules = { form: asApiError, cors: 'anyone', limited: true } as const;
  return [
    own('token POST', base + paths.token, 'token endpoint', githubToken, { ...tokenRules, credentials: true }),
    own('device_authorization POST', base + paths.deviceAuthorization, 'device authorization', deviceCode, {
      ...tokenRules,
      feature: 'device',
    }),
    ...[base, `${base}/api/v3`].flatMap(api => [
      own('userinfo GET', `${api}/user`, 'user of a token', user, apiRules),
      own('userinfo GET', `${api}/user/emails`, 'e-mail addresses of the user', emails, apiRules),
      own('userinfo GET', `${api}/user/orgs`, 'organizations of the user', organizations, apiRules),
    ]),
  ];
}

interface Caller {
  readonly user: TestUser;
  readonly headers: Readonly<Record<string, string>>;
}

async function user(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { user: found, headers } = await callerOf(server, request, []);
  return { kind: 'json', status: 200, body: userJson(found, addressesAt(server, request)), headers };
}

/** The e-mail addresses of the user. Without the scope GitHub answers as if there were no such path. */
async function emails(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { user: found, headers } = await callerOf(server, request, ['user', 'user:email'], [404, 'Not Found']);
  return { kind: 'json', status: 200, body: emailsJson(found), headers };
}

async function organizations(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const message = 'You need at least read:org scope or user scope to list your organizations.';
  const { user: found, headers } = await callerOf(server, request, ['read:org', 'user'], [403, message]);
  return { kind: 'json', status: 200, body: organizationsJson(found, addressesAt(server, request)), headers };
}

/** The API is at the same address as the request: below `/api/v3`, or at the root. */
function addressesAt({ issuer }: AuthorizationServer, { path }: EndpointRequest): Addresses {
  return { site: issuer, api: path.includes('/api/v3/') ? `${issuer}/api/v3` : issuer };
}

/**
 * The user behind a token with one of these scopes. A GitHub App has permissions in place of scopes, and has them all.
 * @throws OAuthError with the status and the message of `refusal` for a token without the scope
 */
async function callerOf(
  server: AuthorizationServer,
  request: EndpointRequest,
  accepted: readonly string[],
  [status, message]: readonly [status: number, message: string] = [403, ''],
): Promise<Caller> {
  const token = bearerToken(request.authorization?.replace(/^token\s+/i, 'Bearer '));
  if (token === undefined) throw noAccessToken(request.authorization);
  const claims = await verifyAccessToken(server, token);
  const presented = { token, scheme: 'Bearer', method: request.method } as const;
  await checkBinding(server, presented, claims.cnf as Confirmation | undefined, request); // the token is ours
  const [client_id, scopes] = [String(claims.client_id), scopesIn(claims.scope)];
  const headers = {
    'X-OAuth-Scopes': scopes.join(', '),
    'X-Accepted-OAuth-Scopes': accepted.join(', '),
    'X-OAuth-Client-Id': client_id,
    'X-GitHub-Media-Type': 'github.v3; format=json',
  };
  const isApp = server.dialect?.name === 'github-app';
  if (accepted.length > 0 && !isApp && !accepted.some(scope => scopes.includes(scope))) {
    const details = { status, sent: scopes.join(' ') || 'no scope', expected: accepted.join(' or '), headers };
    throw new OAuthError('insufficient_scope', 'management_right_missing', message, details);
  }
  const found = loggedInUser(server, { sub: String(claims.sub) });
  if (found === undefined) {
    throw invalidToken('access_token_not_for_a_user', 'the access token is not about a user of this sandbox');
  }
  request.emit({
    type: 'token.used',
    endpoint: 'userinfo',
    ...parseTokenIdentifier(claims.jti),
    client_id,
    sub: found.sub,
  });
  return { user: found, headers };
}

const device = 'urn:ietf:params:oauth:grant-type:device_code';

/** The token endpoint. A device polls without a secret, and a request with a code needs no `grant_type`. */
async function githubToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const asked = await completed(server, request);
  const { values } = asked.parameters;
  const isDevice = values.get('grant_type') === device && !values.has('client_secret');
  const reply = await (isDevice && request.authorization === undefined ? poll(server, asked) : token(server, asked));
  return encoded(reply, request);
}

async function poll(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  rejectUnreadable(request.parameters);
  const client_id = requiredParameter(request.parameters, 'client_id');
  return tokensFor(server, request, await knownClient(server, client_id, request.emit));
}

/** The request with what GitHub knows without being told: the grant of a code, and its redirect URI. */
async function completed(server: AuthorizationServer, request: EndpointRequest): Promise<EndpointRequest> {
  const values = new Map(request.parameters.values);
  const code = values.get('code');
  if (code === undefined && values.has('grant_type')) return request;
  if (!values.get('grant_type')) values.set('grant_type', 'authorization_code');
  const issued = code === undefined ? undefined : await server.store.get<CodeRecord>(['issued_code', code]);
  if (issued !== undefined) requireVerified(server, issued);
  if (issued !== undefined && !values.get('redirect_uri')) values.set('redirect_uri', issued.redirect_uri);
  return { ...request, parameters: { ...request.parameters, values } };
}

/** A user whose e-mail address is not verified cannot sign in to applications. */
function requireVerified(server: AuthorizationServer, { authorization: { sub = '' } }: CodeRecord): void {
  if (server.users.get(sub)?.claims.email_verified !== false) return;
  throw invalidGrant('user_unverified', 'the e-mail address of the user is not verified', {
    sent: 'email_verified: false',
    expected: 'a user with email_verified: true',
  });
}

/** Device authorization. A device sends its `client_id` alone. */
async function deviceCode(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters } = request;
  rejectUnreadable(parameters);
  const client = await knownClient(server, requiredParameter(parameters, 'client_id'), request.emit);
  const scope = ourScopes(server, scopes, parameters.values.get('scope')) ?? '';
  const values = new Map([...parameters.values, ['scope', scope]]);
  const reply = await authorizeDevice(server, { ...request, parameters: { ...parameters, values } }, client);
  if (reply.kind !== 'json' || !('verification_uri_complete' in reply.body)) return reply;
  const { verification_uri_complete: _, ...body } = reply.body;
  // this path leads to the page of the sandbox
  return encoded({ ...reply, body: { ...body, verification_uri: `${server.issuer}/login/device` } }, request);
}

/** Scopes are separated by commas in answers. GitHub leaves unknown ones out, those of OpenID Connect among them. */
export const scopes: ScopeForm = { separator: ',', dropsUnknown: true, drops: identityScopes };
