import type { AnyMembers } from '../../../base/text/record.ts';
import { authenticateClient } from '../../../protocol/clients/client-authentication.ts';
import { forgetGrant } from '../../../protocol/dialects/wire.ts';
import { endAuthorization } from '../../../protocol/endpoints/revoke.ts';
import { OAuthError } from '../../../protocol/errors.ts';
import { revokeAuthorization } from '../../../protocol/kept-authorizations.ts';
import { scopesIn } from '../../../protocol/scope.ts';
import { type FoundToken, findToken } from '../../../protocol/tokens/find-token.ts';
import { issueTokens } from '../../../protocol/tokens/issue-tokens.ts';
import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import { jsonAnswer } from '../../../server/http/answer.ts';
import type { Handler } from '../../../server/http/request-context.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { createManagement } from '../../management/router.ts';
import { asApiError } from '../error-forms.ts';
import { userJson } from '../user.ts';

const owner = ['owner'];

const calls: readonly ManagementCall<ManagedIssuer>[] = ['', '/api/v3'].flatMap(api => [
  call(`POST ${api}/applications/{client_id}/token`, 'checks a token', owner, async (input, issuer) => {
    const { token } = await sentToken(input, issuer);
    return jsonAnswer(200, await authorizationOf(issuer, input, token));
  }),
  call(`PATCH ${api}/applications/{client_id}/token`, 'replaces a token by a new one', owner, async (input, issuer) => {
    const { token, found } = await sentToken(input, issuer);
    const renewed = await sameToken(issuer, input, found);
    await endAuthorization(issuer.server, token, found, input.request.emit);
    return jsonAnswer(200, await authorizationOf(issuer, input, renewed));
  }),
  call(
    `POST ${api}/applications/{client_id}/token/scoped`,
    'a token for one account, `target` or `target_id`',
    owner,
    async (input, issuer) => {
      const { found } = await sentToken(input, issuer);
      const { target, target_id } = input.body as AnyMembers; // sentToken() has read it as an object
      if (typeof target !== 'string' && typeof target_id !== 'number') throw invalid('{ "target": "…" }');
      return jsonAnswer(200, await authorizationOf(issuer, input, await sameToken(issuer, input, found)));
    },
  ),
  call(`DELETE ${api}/applications/{client_id}/token`, 'ends a token', owner, async (input, issuer) => {
    const { token, found } = await sentToken(input, issuer);
    await endAuthorization(issuer.server, token, found, input.request.emit);
  }),
  call(`DELETE ${api}/applications/{client_id}/grant`, 'ends the grant of a user', owner, async (input, issuer) => {
    const { token, found } = await sentToken(input, issuer);
    const { server, events } = issuer;
    const sub = String(found.claims.sub);
    const issued = events.latestIssued(Number.POSITIVE_INFINITY);
    const others = issued.filter(each => each.client_id === found.client_id && each.sub === sub);
    for (const id of new Set(others.map(each => each.authorizationId))) await revokeAuthorization(server, id);
    await endAuthorization(server, token, found, input.request.emit);
    await forgetGrant(server, [found.client_id, sub]);
  }),
]);

/** The API by which an application checks and ends its tokens. Its credential is that of the token endpoint, by Basic. */
export function createApplicationsApi(issuer: ManagedIssuer): Handler {
  return createManagement({
    title: 'GitHub',
    issuer,
    calls,
    place: issuer,
    form: asApiError,
    async authenticate(request) {
      const credentials = { ...request, parameters: { ...request.parameters, values: new Map<string, string>() } };
      const { client } = await authenticateClient(issuer.server, credentials);
      return { name: client.client_id, has: right => right === 'owner' };
    },
  });
}

/**
 * The token in the body, if it is one of the application at this path.
 * @throws OAuthError with 422 without a token, with 404 for a token that is not valid or not of this application
 */
async function sentToken(
  { names, body, caller }: CallInput,
  { server }: ManagedIssuer,
): Promise<{ readonly token: string; readonly found: FoundToken }> {
  const token = typeof body === 'object' && body !== null && 'access_token' in body ? body.access_token : undefined;
  if (typeof token !== 'string') throw invalid('{ "access_token": "…" }');
  const isOwn = names.client_id === caller.name;
  const found = isOwn ? await findToken(server, token, 'access_token') : undefined;
  if (found?.state === 'active' && found.client_id === caller.name) return { token, found };
  const details = { status: 404, expected: 'a valid token of this app' };
  throw new OAuthError('invalid_request', 'management_entry_unknown', 'Not Found', details);
}

function invalid(expected: string): OAuthError {
  const details = { status: 422, expected };
  return new OAuthError('invalid_request', 'management_input_invalid', 'Validation Failed', details);
}

/** A new token with the rights of another one, as a grant of its own. */
async function sameToken(
  { server }: ManagedIssuer,
  { request, caller }: CallInput,
  found: FoundToken,
): Promise<string> {
  const client = server.clients.get(caller.name);
  if (client === undefined) throw new Error(`${caller.name} has just proved itself`);
  const { sub, scope } = found.claims;
  const scopes = scopesIn(scope);
  const ids = { id: server.random.id(), client_id: client.client_id, grant_type: 'authorization_code' };
  const authorization = { ...ids, sub: String(sub), scopes, resources: [] };
  const redemption = {
    authorization,
    scopes,
    resources: [],
    tokens: ['access'],
    parentTokenId: found.tokenId,
  } as const;
  return (await issueTokens({ server, client, redemption, emit: request.emit })).access_token;
}

async function authorizationOf({ server }: ManagedIssuer, { names }: CallInput, token: string): Promise<object> {
  const claims = (await findToken(server, token, 'access_token'))?.claims ?? {};
  const client = server.clients.get(names.client_id ?? '');
  const user = server.users.get(String(claims.sub));
  const api = server.issuer;
  return {
    app: { name: client?.client_name, client_id: client?.client_id, url: client?.client_uri ?? api },
    token,
    token_last_eight: token.slice(-8),
    scopes: scopesIn(claims.scope),
    ...(server.dialect?.name === 'github-app' && { expires_at: inIso(claims.exp) }),
    created_at: inIso(claims.iat),
    user: user && userJson(user, { api, site: server.issuer }),
  };
}

function inIso(seconds = 0): string {
  return new Date(seconds * 1000).toISOString();
}
