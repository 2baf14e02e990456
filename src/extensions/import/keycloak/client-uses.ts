import type { Prefixes, UseTable } from '../members.ts';

const pages = 'the sandbox has pages of its own';
const timeouts = 'sessions of the sandbox have no timeouts of a client';
const keys = 'write `jwks` or `jwks_uri` to the client to use its keys';
const encryption = 'the client has no encrypted tokens here: `id_token_encrypted_response_alg` switches it on';

/** Members of a client. Those that `clients.ts` and `redirect-uris.ts` read have the member of ours in the comment. */
export const clientUses: UseTable = {
  id: 'none',
  clientId: 'read', // client_id
  name: 'read', // client_name
  description: 'none',
  type: 'none',
  secret: 'read', // client_secret
  registrationAccessToken: 'none',
  publicClient: 'read', // client_secret, grant_types
  bearerOnly: 'read',
  enabled: 'read',
  clientAuthenticatorType: 'read', // token_endpoint_auth_method
  standardFlowEnabled: 'read', // grant_types
  implicitFlowEnabled: 'read',
  directAccessGrantsEnabled: 'read',
  serviceAccountsEnabled: 'read',
  authorizationServicesEnabled: { lost: 'Authorization Services (UMA) are not served' },
  authorizationSettings: { lost: 'Authorization Services (UMA) are not served' },
  consentRequired: 'read', // require_consent
  redirectUris: 'read', // redirect_uris, loopback_redirects
  webOrigins: 'read', // web_origins
  rootUrl: 'read',
  baseUrl: 'read', // client_uri
  adminUrl: { lost: 'back-channel calls of old adapters are not made; `backchannel_logout_uri` is the standard one' },
  fullScopeAllowed: 'read',
  attributes: 'read',
  protocol: 'read',
  protocolMappers: 'read',
  defaultClientScopes: 'read', // default_scope
  optionalClientScopes: 'read', // scope
  frontchannelLogout: 'read', // frontchannel_logout_uri
  alwaysDisplayInConsole: { lost: 'there is no account console' },
  authenticationFlowBindingOverrides: { lost: 'sign-in flows are not run: the sandbox has one sign-in page' },
  surrogateAuthRequired: 'none',
  notBefore: { lost: 'tokens are not revoked by time' },
  nodeReRegistrationTimeout: 'none',
  registeredNodes: 'none',
  access: 'none',
  origin: 'none',
  useTemplateConfig: 'none',
  useTemplateScope: 'none',
  useTemplateMappers: 'none',
  clientTemplate: { lost: 'templates of clients are not resolved: export the realm with a newer version' },
  defaultRoles: { lost: 'give default roles of a client to the users' },
};

/** Attributes of a client. */
export const attributeUses: UseTable = {
  'post.logout.redirect.uris': 'read', // post_logout_redirect_uris
  'access.token.lifespan': 'read', // access_token_lifetime and id_token_lifetime
  'backchannel.logout.url': 'read', // backchannel_logout_uri
  'backchannel.logout.session.required': 'read', // backchannel_logout_session_required
  'backchannel.logout.revoke.offline.tokens': { lost: 'offline tokens end with their session' },
  'frontchannel.logout.url': 'read', // frontchannel_logout_uri
  'frontchannel.logout.session.required': 'read', // frontchannel_logout_session_required
  'oauth2.device.authorization.grant.enabled': 'read', // grant_types
  'oidc.ciba.grant.enabled': 'read',
  'standard.token.exchange.enabled': 'read',
  'use.refresh.tokens': 'read',
  'client_credentials.use_refresh_token': { lost: 'a client credentials grant gives no refresh token' },
  'dpop.bound.access.tokens': 'read', // dpop_bound_access_tokens
  'pkce.code.challenge.method': 'read', // require_pkce
  'require.pushed.authorization.requests': 'read', // require_pushed_authorization_requests
  'id.token.signed.response.alg': 'read', // id_token_signed_response_alg
  'user.info.response.signature.alg': 'read', // userinfo_signed_response_alg
  'access.token.signed.response.alg': { lost: 'access tokens are signed with the algorithm of the issuer' },
  'use.jwks.url': 'read',
  'jwks.url': 'read', // jwks_uri
  'use.jwks.string': { lost: keys },
  'jwks.string': { lost: keys },
  'jwt.credential.certificate': { lost: keys },
  'jwt.credential.public.key': { lost: keys },
  'jwt.credential.kid': { lost: keys },
  'token.endpoint.auth.signing.alg': 'none',
  'id.token.encrypted.response.alg': { lost: encryption },
  'id.token.encrypted.response.enc': { lost: encryption },
  'request.object.signature.alg': { lost: 'request objects of every algorithm are accepted', usual: 'any' },
  'request.object.encryption.alg': { lost: 'request objects are not decrypted', usual: 'any' },
  'request.object.encryption.enc': { lost: 'request objects are not decrypted', usual: 'any' },
  'request.object.required': { lost: '`require_signed_request_object: true` demands them', usual: 'not required' },
  'request.uris': { lost: 'write them as `request_uris` of the client' },
  'tls.client.certificate.bound.access.tokens': {
    lost: 'needs HTTPS: set TLS, and `tls_client_certificate_bound_access_tokens: true` of the client',
  },
  'x509.subjectdn': { lost: 'needs HTTPS: set TLS, and `tls_client_auth_subject_dn` of the client' },
  'x509.allow.regex.pattern.comparison': 'none',
  'client.use.lightweight.access.token.enabled': { lost: 'access tokens have all their claims' },
  'exclude.session.state.from.auth.response': { lost: 'not switched off' },
  'exclude.issuer.from.auth.response': { lost: 'not switched off' },
  'client.session.idle.timeout': { lost: timeouts },
  'client.session.max.lifespan': { lost: timeouts },
  'client.offline.session.idle.timeout': { lost: timeouts },
  'client.offline.session.max.lifespan': { lost: timeouts },
  'client.secret.creation.time': 'none',
  'client.secret.expiration.time': { lost: 'secrets do not expire' },
  'client.secret.rotated': { lost: 'a client has one secret' },
  realm_client: 'none',
  'access.token.header.type.rfc9068': { lost: 'the header `typ` of access tokens is JWT, as by default' },
  'token.response.type.bearer.lower-case': { lost: '`token_type` is Bearer, as by default' },
  'client.introspection.response.allow.jwt.claim.enabled': { lost: 'introspection does not answer with the token' },
  'display.on.consent.screen': 'none',
  'consent.screen.text': { lost: pages },
  login_theme: { lost: pages },
  logoUri: { lost: '`logo_uri` of the client links to a logo' },
  policyUri: { lost: '`policy_uri` of the client links to a policy' },
  tosUri: { lost: '`tos_uri` of the client links to terms' },
  'default.acr.values': { lost: '`default_acr_values` of the client has them' },
  'acr.loa.map': { lost: 'levels of authentication are not mapped' },
  'minimum.acr.value': { lost: 'levels of authentication are not mapped' },
  'oidc.ciba.polling.interval': 'none',
  'ciba.backchannel.token.delivery.mode': {
    lost: '`backchannel_token_delivery_mode` of the client has it',
    usual: 'poll',
  },
  'acr.level': { lost: 'levels of authentication are not mapped' },
};

/** Attributes of SAML, and those that realms add to other things. */
export const attributePrefixes: Prefixes = [['saml', 'the sandbox does not speak SAML']];
