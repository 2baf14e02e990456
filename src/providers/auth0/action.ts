import type { AnyMembers } from '../../base/text/record.ts';
import { scopesIn } from '../../protocol/scope.ts';
import type { OnTokenEvent } from '../../protocol/token-rule.ts';
import type { TokenActions } from '../../sandbox/config/provider-traits.ts';

/** `event.transaction.protocol` by the grant; the others are codes. */
const protocols: Readonly<Record<string, string>> = {
  implicit: 'oidc-implicit-profile',
  password: 'oauth2-password',
  'urn:ietf:params:oauth:grant-type:device_code': 'oauth2-device-code',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'oauth2-token-exchange',
  'urn:openid:params:grant-type:ciba': 'oidc-ciba',
};

/**
 * Runs `onExecutePostLogin` of an Action of Auth0 for one token and returns the claims that it sets for this token. A
 * token without a user has no login, so that the Action does not run.
 */
export async function runAuth0Action(action: TokenActions['auth0Action'], token: OnTokenEvent): Promise<AnyMembers> {
  if (token.user === undefined) return {};
  const denials: string[] = [];
  const set = { accessToken: new Map<string, unknown>(), idToken: new Map<string, unknown>() };
  const api = {
    accessToken: { setCustomClaim: (name: string, value: unknown) => chained(set.accessToken.set(name, value)) },
    idToken: { setCustomClaim: (name: string, value: unknown) => chained(set.idToken.set(name, value)) },
    access: { deny: (reason: string) => chained(denials.push(reason)) },
  };
  const chained = (_done: unknown) => api;
  // an Action has the types of Auth0, or none
  await action(eventOf(token, token.user) as never, api as never);
  const [denial] = denials;
  return denial === undefined ? Object.fromEntries(set[token.token]) : token.deny(denial);
}

function eventOf({ client, request, grant, scopes, claims }: OnTokenEvent, user: AnyMembers): AnyMembers {
  const { sub, access_token_claims: _, ...profile } = user;
  const isRefresh = request.grant_type === 'refresh_token';
  return {
    user: { app_metadata: {}, user_metadata: {}, ...profile, user_id: sub },
    client: { client_id: client.client_id, name: client.client_name, metadata: {} },
    request: { query: request, body: request },
    transaction: {
      protocol: isRefresh ? 'oauth2-refresh-token' : (protocols[grant.type] ?? 'oidc-basic-profile'),
      requested_scopes: request.scope === undefined ? scopes : scopesIn(request.scope),
      redirect_uri: request.redirect_uri,
      state: request.state,
      acr_values: scopesIn(request.acr_values),
      ui_locales: scopesIn(request.ui_locales),
    },
    authorization: { roles: Array.isArray(user.roles) ? user.roles : [] },
    authentication: { methods: loginMethods(grant) },
    resource_server: { identifier: [claims.aud].flat()[0] },
    ...(grant.sid !== undefined && { session: { id: grant.sid } }),
    secrets: {},
    configuration: {},
  };
}

function loginMethods({ amr = [], auth_time }: AnyMembers): readonly AnyMembers[] {
  const timestamp = typeof auth_time === 'number' ? new Date(auth_time * 1000).toISOString() : undefined;
  return [amr].flat().map(name => ({ name, timestamp }));
}
