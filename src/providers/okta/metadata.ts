import type { MetadataForm } from '../../protocol/dialects/dialect-data.ts';
import type { PresetOptions } from '../../sandbox/provider.ts';
import { isOrg } from './servers.ts';

const claims = [
  'iss',
  'ver',
  'sub',
  'aud',
  'iat',
  'exp',
  'jti',
  'auth_time',
  'amr',
  'idp',
  'nonce',
  'name',
  'nickname',
  'preferred_username',
  'given_name',
  'middle_name',
  'family_name',
  'email',
  'email_verified',
  'profile',
  'zoneinfo',
  'locale',
  'address',
  'phone_number',
  'picture',
  'website',
  'gender',
  'birthdate',
  'updated_at',
  'at_hash',
  'groups',
];

/**
 * The metadata of an authorization server. The sandbox does not promise what it does not keep: the grants
 * `urn:okta:params:oauth:grant-type:otp` and `oob`, and the scopes `device_sso` and `interclient_access`, are left out.
 */
export function metadataOf(options: PresetOptions): MetadataForm {
  return {
    add: {
      ...(!isOrg(options) && { registration_endpoint: '${address}/oauth2/v1/clients' }),
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      claims_supported: claims,
    },
    omit: [
      'authorization_response_iss_parameter_supported',
      'client_id_metadata_document_supported',
      'protected_resources',
      'ui_locales_supported',
      'claim_types_supported',
      'service_documentation',
    ],
  };
}
