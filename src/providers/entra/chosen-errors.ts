import type { ErrorRule } from '../../protocol/dialects/dialect-data.ts';

/** Errors that somebody chose on the login page, by their code: answers that a tenant gives because of its policies. */
const chosen: Readonly<Record<string, readonly [code: number, text: string, error?: string]>> = {
  access_denied: [
    53003,
    'Access has been blocked by Conditional Access policies. The access policy does not allow token issuance.',
  ],
  interaction_required: [
    50079,
    'Due to a configuration change made by your administrator, or because you moved to a new location, you must enroll in multi-factor authentication to access the resource.',
  ],
  login_required: [50058, 'Session information is not sufficient for single-sign-on.'],
  consent_required: [
    65001,
    'The user or administrator has not consented to use the application.',
    'interaction_required',
  ],
  account_selection_required: [
    16000,
    'User account does not exist in tenant and cannot access the application. Choose another account.',
    'interaction_required',
  ],
  temporarily_unavailable: [90033, 'A transient error has occurred. Please try again.'],
  server_error: [90033, 'A transient error has occurred. Please try again.', 'temporarily_unavailable'],
};

export function chosenError(code: string): ErrorRule | undefined {
  const [number, text, error] = chosen[code] ?? [];
  if (number === undefined) return undefined;
  return {
    error_description: `AADSTS${number}: ${text}`,
    members: { error_codes: [number] },
    ...(error !== undefined && { error }),
  };
}
