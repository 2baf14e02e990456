import type { DialectData } from '../../protocol/dialects/dialect-data.ts';

/** Answers of the token endpoint are an `error` alone, with status 400 (token-endpoint.html). */
const only = (error: string) => ({ status: 400, error, isBare: true }) as const;
const client = only('invalid_client');
const grant = only('invalid_grant');
const request = only('invalid_request');
const unauthorized = only('unauthorized_client');

/** Errors of Cognito by our reason. */
export const errors: DialectData['errors'] = {
  client_unknown: client,
  client_secret_missing: client,
  client_secret_wrong: client,
  client_unidentified: request,
  client_is_public: client,
  parameter_missing: request,
  authentication_method_not_registered: client,
  grant_type_unsupported: only('unsupported_grant_type'),
  grant_type_not_registered: unauthorized,
  code_expired_or_unknown: grant,
  code_replayed: grant,
  code_of_another_client: grant,
  pkce_mismatch: grant,
  pkce_missing: grant,
  // Stack Overflow 50264679: another redirect_uri than the one of the login
  redirect_uri_mismatch: unauthorized,
  redirect_uri_missing: [{ sent: 'none', ...request }],
  refresh_token_expired_or_unknown: grant,
  refresh_token_of_another_client: grant,
  refresh_token_reused: grant,
  authorization_revoked: grant,
  token_ended: grant,
  // userinfo-endpoint.html
  ...Object.fromEntries(
    ['access_token_expired', 'access_token_revoked', 'access_token_unreadable'].map(reason => [
      reason,
      {
        error_description: 'Access token is expired, disabled, or deleted, or the user has globally signed out.',
      },
    ]),
  ),
};
