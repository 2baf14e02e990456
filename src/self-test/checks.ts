import type { PromiseCheck } from './bench.ts';
import * as decisions from './decision-probes.ts';
import * as identity from './identity-probes.ts';
import * as logout from './logout-probes.ts';
import * as registration from './registration-probes.ts';
import * as requests from './request-probes.ts';
import * as responses from './response-probes.ts';
import * as tokens from './token-probes.ts';

/**
 * What each member of the metadata promises, and one probe for it; test/conformance has the variations and the forms of errors.
 * A member that is not in here may not be advertised: a test looks.
 */
export const checks: Readonly<Record<string, PromiseCheck>> = {
  issuer: ['both documents are of this issuer, and say the same', identity.probeDocuments],
  jwks_uri: ['public keys, each under an id of its own', identity.probeKeys],
  scopes_supported: ['a client that may have this scope gets it', identity.probeScope],
  claims_supported: ['this claim in the ID Token or at UserInfo', identity.probeClaim],
  claim_types_supported: ['claims of this type (OIDC Core §5.6)', { normal: identity.probeNormalClaims }],
  subject_types_supported: ['subjects of this type', identity.subjects],
  acr_values_supported: ['a login that reaches this acr', identity.probeAcr],
  userinfo_endpoint: ['the claims of whoever the access token is for', identity.probeUserinfo],
  claims_parameter_supported: ['the claims parameter', identity.probeClaimsParameter],
  prompt_values_supported: ['what this prompt asks for', identity.prompts],
  protected_resources: ['an API with a document of its own, that takes tokens for it', identity.probeResource],

  authorization_endpoint: ['a login that ends with a code', tokens.probeCode],
  response_types_supported: ['answers of this response type', requests.probeResponseType],
  response_modes_supported: ['answers that travel like this', requests.probeResponseMode],
  code_challenge_methods_supported: ['PKCE by this method', { S256: requests.probePkce }],
  authorization_response_iss_parameter_supported: ['iss in each answer (RFC 9207)', requests.probeIss],
  pushed_authorization_request_endpoint: ['a login by a pushed request', requests.probePushed],
  require_pushed_authorization_requests: [
    'only pushed requests where it is true, others too where it is false',
    requests.probeDemand({ isPushed: false }),
  ],
  request_parameter_supported: ['request objects by value', requests.probeRequestParameter],
  request_uri_parameter_supported: ['request objects by reference', requests.probeRequestUri],
  require_request_uri_registration: [
    'no request object from an address that is not registered',
    requests.probeUnregisteredUri,
  ],
  require_signed_request_object: [
    'only signed requests where it is true, others too where it is false',
    requests.probeDemand({ isSigned: false }),
  ],
  request_object_signing_alg_values_supported: ['request objects by this algorithm', requests.probeRequestAlg],
  authorization_signing_alg_values_supported: ['answers signed by this algorithm', requests.probeResponseAlg],
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
  introspection_endpoint: ['whether a token is good', tokens.probeIntrospection],
  introspection_signing_alg_values_supported: [
    'signed answers by this algorithm (RFC 9701)',
    responses.probeSignedIntrospection,
  ],
  revocation_endpoint: ['tokens that end when their client says so', tokens.probeRevocation],
  dpop_signing_alg_values_supported: ['tokens bound to a key by this algorithm', tokens.probeDpop],
  tls_client_certificate_bound_access_tokens: [
    'access tokens bound to the certificate of the client',
    tokens.probeCertificate,
  ],
  mtls_endpoint_aliases: ['an address for connections with a certificate', tokens.probeAlias],
  ...responses.encryptionOf('id_token', 'ID Tokens', responses.readIdToken),
  ...responses.encryptionOf('userinfo', 'UserInfo', responses.readUserinfo),

  device_authorization_endpoint: ['tokens for a device that the user allows', decisions.probeDevice],
  backchannel_authentication_endpoint: [
    'tokens for a client whose user allows it elsewhere',
    decisions.probeBackchannel,
  ],
  backchannel_token_delivery_modes_supported: [
    'this way to learn that the user has decided',
    { poll: decisions.probeBackchannel, ping: decisions.probePing },
  ],
  backchannel_authentication_request_signing_alg_values_supported: [
    'signed requests by this algorithm',
    decisions.probeSignedRequest,
  ],
  backchannel_user_code_parameter_supported: ['no request with a user_code, as it says false', decisions.probeUserCode],

  registration_endpoint: [
    'clients that register, change and remove themselves, with every algorithm that is advertised',
    registration.probeRegistration,
  ],
  client_id_metadata_document_supported: [
    'clients whose client_id is the address of what they are',
    registration.probeMetadataDocument,
  ],

  end_session_endpoint: ['a logout that ends the session and comes back', logout.probeLogout],
  check_session_iframe: ['a page for iframes, and session_state in each answer', logout.probeIframe],
  frontchannel_logout_supported: ['a frame for each client on the page of the logout', logout.probeFrames],
  frontchannel_logout_session_supported: ['iss and sid in the address of the frame', logout.probeFrames],
  backchannel_logout_supported: ['a logout token to each client', logout.probeLogoutToken],
  backchannel_logout_session_supported: ['sid in the logout token', logout.probeLogoutToken],
};
