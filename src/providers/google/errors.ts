import type { DialectData } from '../../protocol/dialects/dialect-data.ts';

const grant = (error_description: string) => ({ status: 400, error: 'invalid_grant', error_description });
const request = (error_description: string) => ({ status: 400, error: 'invalid_request', error_description });
const badRequest = grant('Bad Request');
const ended = grant('Token has been expired or revoked.');
const timeframe = grant(
  'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
);
const forbidden = { status: 403, error_description: 'Forbidden' };

/** Errors of Google by our reason. Applications compare the codes, and show the texts. */
export const errors: DialectData['errors'] = {
  client_unknown: { status: 401, error: 'invalid_client', error_description: 'The OAuth client was not found.' },
  client_secret_wrong: {
    status: 401,
    error: 'invalid_client',
    error_description: 'The provided client secret is invalid.',
  },
  client_secret_missing: request('client_secret is missing.'),
  client_unidentified: request('Could not determine client ID from request.'),
  grant_type_unsupported: { error_description: 'Invalid grant_type: ${sent}' },
  parameter_missing: request('Missing required parameter: ${expected}'),
  scope_not_registered: {
    status: 400,
    error: 'invalid_scope',
    error_description: 'Some requested scopes were invalid. {invalid=[${sent}]}',
  },
  redirect_uri_not_registered: {
    status: 400,
    error: 'redirect_uri_mismatch',
    error_description:
      'The redirect URI in the request, ${sent}, does not match the ones authorized for the OAuth client.',
  },
  redirect_uri_missing: request('Missing required parameter: redirect_uri'),
  redirect_uri_mismatch: { status: 400, error: 'redirect_uri_mismatch', error_description: 'Bad Request' },
  code_expired_or_unknown: badRequest,
  code_replayed: badRequest,
  code_of_another_client: badRequest,
  pkce_mismatch: grant('Invalid code verifier.'),
  pkce_missing: grant('Missing code verifier.'),
  refresh_token_expired_or_unknown: badRequest,
  refresh_token_of_another_client: { status: 401, error: 'unauthorized_client', error_description: 'Unauthorized' },
  authorization_revoked: ended,
  token_ended: ended,
  // device flow
  authorization_pending: { status: 428, error_description: 'Precondition Required' },
  polled_too_fast: forbidden,
  user_denied: forbidden,
  device_code_unknown: badRequest,
  device_code_expired: badRequest,
  device_code_used: badRequest,
  // service accounts
  assertion_malformed: grant('Bad Request'),
  assertion_issuer_untrusted: grant('Invalid grant: account not found'),
  assertion_signature_wrong: grant('Invalid JWT Signature.'),
  assertion_audience_mismatch: grant('Invalid JWT: Failed audience check.'),
  assertion_time_malformed: timeframe,
  assertion_expired: timeframe,
  assertion_not_yet_valid: timeframe,
  assertion_subject_unknown: grant('Invalid email or User ID'),
};
