import type { PromiseCheck } from './bench.ts';
import * as decisions from './decision-probes.ts';
import * as identity from './identity-probes.ts';
import * as logout from './logout-probes.ts';
import * as registration from './registration-probes.ts';
import * as requests from './request-probes.ts';
import * as responses from './response-probes.ts';
import * as tokens from './token-probes.ts';

/**
 * The promise of each metadata member, with one probe. Variations and error forms are in test/conformance.
 */
export const checks: Readonly<Record<string, PromiseCheck>> = {
  issuer: ['both documents name this issuer and agree', identity.probeDocuments],
  jwks_uri: ['public keys, each with a unique kid', identity.probeKeys],
  scopes_supported: ['this scope for a client that is registered for it', identity.probeScope],
  claims_supported: ['this claim in the ID token or at UserInfo', identity.probeClaim],
  claim_types_supported: ['claims of this type (OIDC Core §5.6)', { normal: identity.probeNormalClaims }],
  subject_types_supported: ['subjects of this type', identity.subjects],
  acr_values_supported: ['a login that reaches this acr', identity.probeAcr],
  userinfo_endpoint: ['the claims of the user of the access token', identity.probeUserinfo],
  claims_parameter_supported: ['the claims parameter', identity.probeClaimsParameter],
  ui_locales_supported: ['pages for users in this language', identity.probeLanguage],
  prompt_values_supported: ['the screens of this prompt', identity.prompts],
  protected_resources: ['an API with resource metadata that accepts tokens for it', identity.probeResource],

  authorization_endpoint: ['a login that ends with a code', tokens.probeCode],
  response_types_supported: ['responses of this response type', requests.probeResponseType],
  response_modes_supported: ['responses in this response mode', requests.probeResponseMode],
  code_challenge_methods_supported: ['PKCE by this method', { S256: requests.probePkce }],
  authorization_response_iss_parameter_supported: ['iss in each response (RFC 9207)', requests.probeIss],
  pushed_authorization_request_endpoint: ['a login by a pushed request', requests.probePushed],
  require_pushed_authorization_requests: [
    'only pushed requests if true, other requests as well if false',
    requests.probeDemand({ isPushed: false }),
  ],
  request_parameter_supported: ['request objects by value', requests.probeRequestParameter],
  request_uri_parameter_supported: ['request objects by reference', requests.probeRequestUri],
  require_request_uri_registration: [
    'no request object from an unregistered request_uri',
    requests.probeUnregisteredUri,
  ],
  require_signed_request_object: [
    'only signed requests if true, other requests as well if false',
    requests.probeDemand({ isSigned: false }),
  ],
  request_object_encryption_alg_values_supported: [
    'request objects that are encrypted by this algorithm',
    requests.probeSealedRequest('alg'),
  ],
  request_object_encryption_enc_values_supported: [
    'request objects that are encrypted by this algorithm',
    requests.probeSealedRequest('enc'),
  ],
  request_object_signing_alg_values_supported: ['request objects by this algorithm', requests.probeRequestAlg],
  authorization_signing_alg_values_supported: ['responses signed by this algorithm', requests.probeResponseAlg],
  authorization_details_types_supported: ['authorization details of this type', requests.probeDetails],

  token_endpoint: ['tokens for a code, once, and errors as JSON', tokens.probeTokenEndpoint],
  grant_types_supported: [
    'tokens by this grant',
    {
      ...tokens.grants,
      'urn:ietf:params:oauth:grant-type:device_code': decisions.probeDevice,
      'urn:openid:params:grant-type:ciba': decisions.probeBackchannel,
    },
  ],
  ...tokens.authenticationAt('token_endpoint'),
  ...tokens.authenticationAt('introspection_endpoint'),
  ...tokens.authenticationAt('revocation_endpoint'),
  introspection_endpoint: ['whether a token is active', tokens.probeIntrospection],
  introspection_signing_alg_values_supported: [
    'responses signed by this algorithm (RFC 9701)',
    responses.probeSignedIntrospection,
  ],
  revocation_endpoint: ['tokens that their client can revoke', tokens.probeRevocation],
  dpop_signing_alg_values_supported: ['tokens bound to a key by this algorithm', tokens.probeDpop],
  tls_client_certificate_bound_access_tokens: [
    'access tokens bound to the certificate of the client',
    tokens.probeCertificate,
  ],
  mtls_endpoint_aliases: ['an endpoint for connections with a client certificate', tokens.probeAlias],
  ...responses.encryptionOf('id_token', 'ID tokens', responses.readIdToken),
  ...responses.encryptionOf('userinfo', 'UserInfo', responses.readUserinfo),

  device_authorization_endpoint: ['tokens for a device that the user approves', decisions.probeDevice],
  backchannel_authentication_endpoint: [
    'tokens after the user approves on a different device',
    decisions.probeBackchannel,
  ],
  backchannel_token_delivery_modes_supported: [
    'this way to deliver the decision of the user',
    { poll: decisions.probeBackchannel, ping: decisions.probePing },
  ],
  backchannel_authentication_request_signing_alg_values_supported: [
    'signed requests by this algorithm',
    decisions.probeSignedRequest,
  ],
  backchannel_user_code_parameter_supported: [
    'no request with a user_code, because the value is false',
    decisions.probeUserCode,
  ],

  registration_endpoint: [
    'clients that register, update and delete themselves, with every advertised algorithm',
    registration.probeRegistration,
  ],
  client_id_metadata_document_supported: [
    'clients whose client_id is the URL of their metadata',
    registration.probeMetadataDocument,
  ],

  end_session_endpoint: ['a logout that ends the session and redirects back', logout.probeLogout],
  check_session_iframe: ['a page for iframes, and session_state in each response', logout.probeIframe],
  frontchannel_logout_supported: ['a frame for each client on the logout page', logout.probeFrames],
  frontchannel_logout_session_supported: ['iss and sid in the URL of the frame', logout.probeFrames],
  backchannel_logout_supported: ['a logout token to each client', logout.probeLogoutToken],
  backchannel_logout_session_supported: ['sid in the logout token', logout.probeLogoutToken],

  // of Auth0
  mfa_challenge_endpoint: ['a refusal in JSON for a challenge without a login', decisions.probeChallenge],
};
