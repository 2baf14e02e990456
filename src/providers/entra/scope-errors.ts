import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { ErrorRule } from '../../protocol/dialects/dialect-data.ts';
import { parseScope } from '../../protocol/scope.ts';
import { aadsts } from './aadsts.ts';
import { graph, resourceScope } from './scopes.ts';

/** The error about a scope that the client may not ask for. It depends on what the tenant knows of the scope and its API. */
export function foreignScopeError(server: AuthorizationServer, sent = ''): ErrorRule {
  const [scope = ''] = parseScope(sent);
  const { resource = graph.appId, name = scope } = resourceScope(scope) ?? {};
  const clients = [...server.clients.values()];
  const known = clients.flatMap(client => parseScope(client.scope));
  const apis = [...known.map(each => resourceScope(each)?.resource), ...clients.flatMap(client => client.audience)];
  if (resource !== graph.appId && !apis.includes(resource)) {
    return aadsts(
      500011,
      `The resource principal named ${resource} was not found in the tenant named {tenant}. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You might have sent your authentication request to the wrong tenant.`,
      { status: 400, error: 'invalid_resource' },
    );
  }
  if (known.includes(scope)) {
    return aadsts(
      65001,
      "The user or administrator has not consented to use the application with ID '{client}' named '{application}'. Send an interactive authorization request for this user and resource.",
      { status: 400, error: 'invalid_grant', suberror: 'consent_required' },
    );
  }
  return aadsts(
    650053,
    `The application '{application}' asked for scope '${name}' that doesn't exist on the resource '${resource}'. Contact the app vendor.`,
    { status: 400, error: 'invalid_client' },
  );
}
