import { jsonAnswer } from '../../../http/answer.ts';
import type { Handler } from '../../../http/request-context.ts';
import { authenticateClient } from '../../../oauth/clients/client-authentication.ts';
import { forgetGrant } from '../../../oauth/dialects/earlier-grant.ts';
import { endAuthorization } from '../../../oauth/endpoints/revoke.ts';
import { OAuthError } from '../../../oauth/errors.ts';
import { revokeAuthorization } from '../../../oauth/kept-authorizations.ts';
import { scopesIn } from '../../../oauth/scope.ts';
import { type FoundToken, findToken } from '../../../oauth/tokens/find-token.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import type { ManagedIssuer } from '../../management/managed-issuer.ts';
import { createManagement } from '../../management/router.ts';
import { asApiError } from '../error-forms.ts';
import { userJson } from '../user.ts';

const owner = ['owner'];

/** Calls by which an application checks, renews or ends its tokens. */
const calls: readonly ManagementCall<ManagedIssuer>[] = ['', '/api/v3'].flatMap(api => [
  call(`POST ${api}/applications/{client_id}/token`, 'checks a token', owner, async (input, issuer) => {
    const { token, found } = await sentToken(input, issuer);
    return jsonAnswer(200, authorizationJson(issuer, input, token, found));
  }),
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
  if (typeof token !== 'string') {
    const details = { status: 422, expected: '{ "access_token": "…" }' };
    throw new OAuthError('invalid_request', 'management_input_invalid', 'Validation Failed', details);
  }
  const isOwn = names.client_id === caller.name;
  const found = isOwn ? await findToken(server, token, 'access_token') : undefined;
  if (found?.state === 'active' && found.client_id === caller.name) return { token, found };
  const details = { status: 404, expected: 'a valid token of this application' };
  throw new OAuthError('invalid_request', 'management_entry_unknown', 'Not Found', details);
}

function authorizationJson(
  { server }: ManagedIssuer,
  { names }: CallInput,
  token: string,
  { claims }: FoundToken,
): object {
  const client = server.clients.get(names.client_id ?? '');
  const user = server.users.get(String(claims.sub));
  const api = server.issuer;
  return {
    app: { name: client?.client_name, client_id: client?.client_id, url: client?.client_uri ?? api },
    token,
    token_last_eight: token.slice(-8),
    scopes: scopesIn(claims.scope),
    created_at: new Date((claims.iat ?? 0) * 1000).toISOString(),
    user: user && userJson(user, { api, site: server.issuer }),
  };
}
