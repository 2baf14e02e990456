import { defined } from '../../../base/defined.ts';
import { isRecord } from '../../../base/text/record.ts';
import { isPublic, type RegisteredClient } from '../../../protocol/clients/client.ts';
import { isSameJson } from '../../../protocol/json-parameter.ts';
import { parseScope } from '../../../protocol/scope.ts';
import { builtInScopes, type Realm } from './realm.ts';

/** A client as the admin API sends and answers it (ClientRepresentation.java). */
export type ClientJson = Readonly<Record<string, unknown>>;

type Grant = 'authorization_code' | 'implicit' | 'password' | 'client_credentials';

const flows: Readonly<Record<string, Grant>> = {
  standardFlowEnabled: 'authorization_code',
  implicitFlowEnabled: 'implicit',
  directAccessGrantsEnabled: 'password',
  serviceAccountsEnabled: 'client_credentials',
};

const yes = (isOn: boolean | undefined) => (isOn ? 'true' : undefined);
const grants = (client: RegisteredClient, grant: string) => yes(client.grant_types.includes(grant));

/** Attributes by the members of ours; one that is undefined is left out. */
const attributes: Readonly<Record<string, (client: RegisteredClient, realm: Realm) => string | undefined>> = {
  'post.logout.redirect.uris': ({
    post_logout_redirect_uris: uris,
    post_logout_redirect_uri_patterns: patterns = [],
  }) => [...uris, ...patterns].join('##') || undefined,
  'access.token.lifespan': ({ access_token_lifetime: seconds }, { server }) =>
    seconds === server.lifetimes.accessToken ? undefined : String(seconds),
  'backchannel.logout.url': ({ backchannel_logout_uri }) => backchannel_logout_uri,
  'backchannel.logout.session.required': client => yes(client.backchannel_logout_session_required),
  'frontchannel.logout.url': ({ frontchannel_logout_uri }) => frontchannel_logout_uri,
  'frontchannel.logout.session.required': client => yes(client.frontchannel_logout_session_required),
  'oauth2.device.authorization.grant.enabled': client => grants(client, 'urn:ietf:params:oauth:grant-type:device_code'),
  'oidc.ciba.grant.enabled': client => grants(client, 'urn:openid:params:grant-type:ciba'),
  'standard.token.exchange.enabled': client => grants(client, 'urn:ietf:params:oauth:grant-type:token-exchange'),
  'use.refresh.tokens': client => (client.grant_types.includes('refresh_token') ? undefined : 'false'),
  'pkce.code.challenge.method': client => (client.require_pkce && !isPublic(client) ? 'S256' : undefined),
  'dpop.bound.access.tokens': client => yes(client.dpop_bound_access_tokens),
  'require.pushed.authorization.requests': client => yes(client.require_pushed_authorization_requests),
  'id.token.signed.response.alg': ({ id_token_signed_response_alg: alg }) => (alg === 'RS256' ? undefined : alg),
  'user.info.response.signature.alg': ({ userinfo_signed_response_alg }) => userinfo_signed_response_alg,
  'jwks.url': ({ jwks_uri }) => jwks_uri,
};

function derived(realm: Realm, client: RegisteredClient): ClientJson {
  const { client_id, client_name, client_secret, client_uri, redirect_uris, web_origins, grant_types } = client;
  const always = parseScope(client.default_scope ?? '');
  const asked = parseScope(client.scope).filter(name => name !== 'openid' && !always.includes(name));
  const methods = client.token_endpoint_auth_methods;
  const authenticator = methods.includes('private_key_jwt') ? 'client-jwt' : 'client-secret';
  return {
    id: realm.ids.idOf('client', client_id),
    clientId: client_id,
    ...defined({ name: client_name, baseUrl: client_uri, secret: client_secret }),
    enabled: true,
    clientAuthenticatorType:
      methods.includes('client_secret_jwt') && methods.length === 1 ? 'client-secret-jwt' : authenticator,
    redirectUris: [
      ...redirect_uris,
      ...(client.redirect_uri_patterns ?? []),
      ...(client.loopback_redirects ? ['http://localhost:*/*'] : []),
    ],
    webOrigins: web_origins ?? [],
    bearerOnly: false,
    consentRequired: client.require_consent,
    ...Object.fromEntries(Object.entries(flows).map(([name, grant]) => [name, grant_types.includes(grant)])),
    publicClient: isPublic(client),
    frontchannelLogout: client.frontchannel_logout_uri !== undefined,
    protocol: 'openid-connect',
    attributes: defined(
      Object.fromEntries(Object.entries(attributes).map(([name, read]) => [name, read(client, realm)])),
    ),
    fullScopeAllowed: true,
    defaultClientScopes: [...builtInScopes, ...always],
    optionalClientScopes: asked,
  };
}

/**
 * A client as the admin API answers it. Members that came by the admin API are kept, because the entry has no place for
 * some; those that the entry has come first once it was changed elsewhere.
 */
export function clientRepresentation(realm: Realm, client_id: string): ClientJson {
  const { server, state, control, ids } = realm;
  const client = server.clients.get(client_id);
  const kept = state.clients.get(client_id);
  if (client === undefined) return kept?.sent ?? builtIn(ids.idOf('client', client_id), client_id);
  const own = derived(realm, client);
  if (kept === undefined) return own;
  const isSame = isSameJson(kept.entry, control.clientEntry(client_id));
  const [under, over] = isSame ? [own, kept.sent] : [kept.sent, own];
  return { ...under, ...over, attributes: { ...attributesIn(under), ...attributesIn(over) } };
}

export function attributesIn({ attributes }: ClientJson): ClientJson {
  return isRecord(attributes) ? attributes : {};
}

/** A client that each realm has: its roles are what programs ask for. */
function builtIn(id: string, clientId: string): ClientJson {
  return {
    id,
    clientId,
    name: `\${client_${clientId}}`,
    enabled: true,
    bearerOnly: ['broker', 'realm-management'].includes(clientId),
    publicClient: !['broker', 'realm-management'].includes(clientId),
    redirectUris: [],
    webOrigins: [],
    ...Object.fromEntries(Object.keys(flows).map(name => [name, false])),
    protocol: 'openid-connect',
    attributes: {},
    fullScopeAllowed: false,
    defaultClientScopes: [],
    optionalClientScopes: [],
  };
}
