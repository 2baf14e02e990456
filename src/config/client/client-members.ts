import * as v from 'valibot';
import { faultNames } from '../../faults/fault-names.ts';
import { encryptionAlgs, encryptionEncs, responseTypes, tokenEndpointAuthMethods } from '../../oauth/clients/client.ts';
import { entry, flag, jsonObject, list, oneOf, text, wholeSeconds } from '../schema.ts';
import { signingAlgs } from '../settings.ts';
import { originFault, redirectUriFault, webUriFaultOf } from '../uri.ts';

export const grantTypes = [
  'authorization_code',
  'client_credentials',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:openid:params:grant-type:ciba',
  'password',
  'implicit',
] as const;

const lifetime = wholeSeconds(1, 31_536_000);
const age = 'a whole number of seconds, 0 or more';
const visible = v.pipe(
  v.string('text'),
  v.regex(/^[\x20-\x7e]+$/, 'visible ASCII characters only (RFC 6749 appendix A)'),
);
/** Text that `fault` finds nothing wrong with. */
export const checked = (fault: (text: string) => string | undefined) =>
  v.pipe(
    v.string('text'),
    v.rawCheck(({ dataset, addIssue }) => {
      const found = dataset.typed ? fault(dataset.value) : undefined;
      if (found !== undefined) addIssue({ message: found });
    }),
  );
const uris = list(checked(redirectUriFault), 'URIs');
const webUri = v.exactOptional(checked(webUriFaultOf));
const optionalFlag = v.exactOptional(flag);
const optionalText = v.exactOptional(text);

/** RFC 7518 §3.1, §4.1, §5.1, as far as jose speaks them. */
const asymmetricAlg = v.exactOptional(oneOf(signingAlgs));
const assertionAlg = v.exactOptional(oneOf([...signingAlgs, 'HS256', 'HS384', 'HS512']));
const encryptionAlg = v.exactOptional(oneOf(encryptionAlgs));
const encryptionEnc = v.exactOptional(oneOf(encryptionEncs));

export const jwkSet = v.exactOptional(v.looseObject({ keys: list(jsonObject, 'JWKs') }, 'a JWK Set: {"keys": [ … ]}'));

const showable = 'at most 200 characters, none that controls a terminal or the direction of writing';

/** Names stand on pages where a user decides, and must not turn the words around them (Unicode UAX 9 §2). */
function isShowable(name: string): boolean {
  return name.length <= 200 && !/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name);
}

/** RFC 7591 §2 and the registries that grew from it, then our own extensions. */
export const clientSchema = entry({
  client_id: visible,
  client_name: v.exactOptional(v.pipe(text, v.check(isShowable, showable))),
  client_secret: v.exactOptional(visible),
  token_endpoint_auth_method: v.exactOptional(oneOf(tokenEndpointAuthMethods)),
  token_endpoint_auth_methods: v.exactOptional(
    v.pipe(list(oneOf(tokenEndpointAuthMethods), 'methods'), v.minLength(1, 'at least one method')),
  ),
  token_endpoint_auth_signing_alg: assertionAlg,
  jwks: jwkSet,
  jwks_uri: webUri,
  tls_client_auth_subject_dn: v.exactOptional(v.pipe(text, v.maxLength(1024, 'a name of at most 1024 characters'))),
  tls_client_auth_san_dns: optionalText,
  tls_client_auth_san_uri: optionalText,
  tls_client_auth_san_ip: optionalText,
  tls_client_auth_san_email: optionalText,
  grant_types: v.exactOptional(
    v.pipe(list(oneOf(grantTypes), 'grant types'), v.minLength(1, 'at least one grant type')),
  ),
  response_types: v.exactOptional(list(oneOf(responseTypes), 'response types')),
  redirect_uris: v.exactOptional(uris),
  post_logout_redirect_uris: v.exactOptional(uris),
  request_uris: v.exactOptional(list(checked(webUriFaultOf), 'URIs')),
  scope: v.exactOptional(v.string('text: scopes with spaces between')),
  id_token_signed_response_alg: asymmetricAlg,
  id_token_encrypted_response_alg: encryptionAlg,
  id_token_encrypted_response_enc: encryptionEnc,
  userinfo_signed_response_alg: asymmetricAlg,
  userinfo_encrypted_response_alg: encryptionAlg,
  userinfo_encrypted_response_enc: encryptionEnc,
  authorization_signed_response_alg: asymmetricAlg,
  introspection_signed_response_alg: asymmetricAlg,
  request_object_signing_alg: asymmetricAlg,
  subject_type: v.exactOptional(oneOf(['public', 'pairwise'])),
  sector_identifier_uri: webUri,
  default_max_age: v.exactOptional(v.pipe(v.number(age), v.integer(age), v.minValue(0, age))),
  default_acr_values: v.exactOptional(list(text, 'acr values')),
  require_auth_time: optionalFlag,
  require_pushed_authorization_requests: optionalFlag,
  require_signed_request_object: optionalFlag,
  dpop_bound_access_tokens: optionalFlag,
  tls_client_certificate_bound_access_tokens: optionalFlag,
  authorization_details_types: v.exactOptional(list(text, 'types')),
  backchannel_logout_uri: webUri,
  backchannel_logout_session_required: optionalFlag,
  frontchannel_logout_uri: webUri,
  frontchannel_logout_session_required: optionalFlag,
  initiate_login_uri: webUri,
  backchannel_token_delivery_mode: v.exactOptional(oneOf(['poll', 'ping'])),
  backchannel_client_notification_endpoint: webUri,
  backchannel_authentication_request_signing_alg: asymmetricAlg,
  application_type: v.exactOptional(oneOf(['web', 'native'])),
  client_uri: webUri,
  logo_uri: webUri,
  policy_uri: webUri,
  tos_uri: webUri,
  contacts: v.exactOptional(list(text, 'contacts')),
  software_id: optionalText,
  software_version: optionalText,
  software_statement: optionalText,

  loopback_redirects: optionalFlag,
  web_origins: v.exactOptional(list(checked(originFault), 'origins')),
  require_pkce: optionalFlag,
  require_consent: optionalFlag,
  auto_login: optionalText,
  faults: v.exactOptional(list(oneOf([...faultNames]), 'names of faults')),
  audience: v.exactOptional(v.union([text, list(text, 'audiences')], 'an audience or a list of audiences')),
  access_token_format: v.exactOptional(oneOf(['jwt', 'opaque'])),
  access_token_lifetime: v.exactOptional(lifetime),
  id_token_lifetime: v.exactOptional(lifetime),
  refresh_token_lifetime: v.exactOptional(lifetime),
  id_token_claims: v.exactOptional(oneOf(['scope', 'all'])),
  refresh_token_rotation: optionalFlag,
  access_token_claims: v.exactOptional(jsonObject),
});

export type ClientMembers = v.InferOutput<typeof clientSchema>;
