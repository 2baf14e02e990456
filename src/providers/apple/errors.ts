import type { DialectData } from '../../protocol/dialects/dialect-data.ts';

const grant = (error_description: string) => ({ status: 400, error: 'invalid_grant', error_description });
const badCode = grant('The code has expired or has been revoked.');
const badToken = grant('The token has expired or has been revoked.');
/** Apple says only this of any fault of a client secret. The description is that of the sandbox. */
const badClient = { status: 400, error: 'invalid_client' };

/** Errors of Apple by our reason (TN3107). */
export const errors: DialectData['errors'] = {
  client_unknown: badClient,
  client_unidentified: badClient,
  client_secret_missing: badClient,
  client_secret_wrong: badClient,
  client_assertion_malformed: badClient,
  client_assertion_alg_refused: badClient,
  client_assertion_key_unknown: badClient,
  client_assertion_signature_wrong: badClient,
  client_assertion_issuer_mismatch: badClient,
  client_assertion_client_mismatch: badClient,
  client_assertion_audience_mismatch: badClient,
  client_assertion_time_malformed: badClient,
  client_assertion_expired: badClient,
  client_assertion_not_yet_valid: badClient,
  client_assertion_lives_too_long: badClient,
  code_expired_or_unknown: badCode,
  code_replayed: badCode,
  code_of_another_client: grant('client_id mismatch. The code was not issued to ${sent}.'),
  refresh_token_expired_or_unknown: badToken,
  refresh_token_of_another_client: grant('client_id mismatch. The refresh token was not issued to ${sent}.'),
  authorization_revoked: badToken,
  token_ended: badToken,
  redirect_uri_not_registered: {
    status: 400,
    error: 'invalid_request',
    error_description: 'Invalid web redirect url.',
  },
  user_denied: { error: 'user_cancelled_authorize', error_description: 'The user cancelled the authorization.' },
};
