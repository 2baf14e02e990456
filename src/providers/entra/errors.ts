import { defined } from '../../base/defined.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { DialectData, ErrorRule, FinishError } from '../../protocol/dialects/dialect-data.ts';
import type { OAuthError } from '../../protocol/errors.ts';
import { stableId } from '../../protocol/random.ts';
import { parseScope } from '../../protocol/scope.ts';
import { graph, resourceScope } from './scopes.ts';

const grant = { status: 400, error: 'invalid_grant' } as const;
const client = { status: 401, error: 'invalid_client' } as const;

const assertionSignature =
  'Client assertion contains an invalid signature. [Reason - The key was not found., Please visit the Azure Portal to verify the configured keys.]';
const assertionTime = aadsts(
  700024,
  'Client assertion is not within its valid time range. Review the documentation at https://learn.microsoft.com/entra/identity-platform/certificate-credentials .',
  client,
);
const malformed = (text: string) => aadsts(9002313, `Invalid request. ${text}`, grant);
const expired =
  'The provided authorization code or refresh token has expired due to inactivity. Send a new interactive authorization request for this user and resource.';

/** Errors of the Microsoft identity platform by our reason, with the texts that its answers have. */
export const errors: DialectData['errors'] = {
  // the application
  client_unknown: aadsts(
    700016,
    "Application with identifier '${sent}' was not found in the directory '{tenant}'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You may have sent your authentication request to the wrong tenant.",
    { status: 400, error: 'unauthorized_client' },
  ),
  client_unidentified: aadsts(900144, "The request body must contain the following parameter: 'client_id'.", {
    status: 400,
    error: 'invalid_request',
  }),
  client_secret_wrong: aadsts(
    7000215,
    "Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '{client}'.",
    client,
  ),
  client_secret_missing: aadsts(
    7000218,
    "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
    client,
  ),
  client_is_public: aadsts(
    700025,
    "Client is public so neither 'client_assertion' nor 'client_secret' should be presented.",
    client,
  ),
  client_assertion_signature_wrong: aadsts(700027, assertionSignature, client),
  client_assertion_key_unknown: aadsts(700027, assertionSignature, client),
  client_assertion_expired: assertionTime,
  client_assertion_not_yet_valid: assertionTime,
  client_assertion_audience_mismatch: aadsts(
    700023,
    'Client assertion audience claim does not match Realm issuer. Review the documentation at https://learn.microsoft.com/entra/identity-platform/certificate-credentials .',
    client,
  ),
  // the request
  parameter_missing: aadsts(900144, "The request body must contain the following parameter: '${expected}'."),
  grant_type_unsupported: aadsts(70003, "The app requested an unsupported grant type '${sent}'."),
  response_type_not_registered: aadsts(700054, "response_type '${sent}' is not enabled for the application.", {
    error: 'unsupported_response_type',
  }),
  grant_type_not_registered: [
    {
      sent: 'response_type=id_token',
      ...aadsts(700054, "response_type 'id_token' is not enabled for the application.", {
        error: 'unsupported_response_type',
      }),
    },
  ],
  redirect_uri_not_registered: aadsts(
    50011,
    "The redirect URI '${sent}' specified in the request does not match the redirect URIs configured for the application '{client}'. Make sure the redirect URI sent in the request matches one added to your application in the Azure portal.",
  ),
  redirect_uri_missing: [
    { sent: 'none', ...aadsts(900144, "The request body must contain the following parameter: 'redirect_uri'.") },
    aadsts(900971, 'No reply address provided.'),
  ],
  tenant_unknown: aadsts(
    90002,
    "Tenant '${sent}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud. Check with your subscription administrator, this may happen if there are no active subscriptions for the tenant.",
  ),
  resource_invalid: aadsts(
    9010010,
    "The resource parameter provided in the request doesn't match with the requested scopes.",
    { status: 400, error: 'invalid_target' },
  ),
  // scopes
  scope_malformed: aadsts(
    70011,
    "The provided request must include a 'scope' input parameter. The provided value for the input parameter 'scope' is not valid. The scope ${sent} is not valid.",
  ),
  scope_of_several_resources: aadsts(
    28000,
    'Provided value for the input parameter scope is not valid because it contains more than one resource. Scope ${sent} is not valid.',
  ),
  scope_not_default: aadsts(
    1002012,
    'The provided value for scope ${sent} is not valid. Client credential flows must have a scope value with /.default suffixed to the resource identifier (application ID URI).',
  ),
  scope_widened: aadsts(
    65001,
    "The user or administrator has not consented to use the application with ID '{client}' named '{application}'. Send an interactive authorization request for this user and resource.",
    { ...grant, suberror: 'consent_required' },
  ),
  consent_required: aadsts(
    65001,
    "The user or administrator has not consented to use the application with ID '{client}' named '{application}'. Send an interactive authorization request for this user and resource.",
    { error: 'interaction_required' },
  ),
  // the user
  login_required: aadsts(50058, 'Session information is not sufficient for single-sign-on.'),
  user_denied: aadsts(65004, 'User declined to consent to access the app.'),
  login_failed: aadsts(50126, 'Error validating credentials due to invalid username or password.', grant),
  password_guessed_too_often: aadsts(
    50053,
    "The account is locked, you've tried to sign in too many times with an incorrect user ID or password.",
    grant,
  ),
  // codes
  code_expired_or_unknown: aadsts(70008, expired, grant),
  token_ended: aadsts(70008, expired, grant),
  code_replayed: aadsts(
    54005,
    'OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh token.',
    grant,
  ),
  code_of_another_client: malformed('The code was issued to another application.'),
  redirect_uri_mismatch: aadsts(
    500112,
    "The reply address '${sent}' does not match the reply address '${expected}' provided when requesting Authorization code.",
    grant,
  ),
  pkce_missing: aadsts(
    9002325,
    'Proof Key for Code Exchange is required for cross-origin authorization code redemption.',
  ),
  pkce_mismatch: aadsts(
    501481,
    'The Code_Verifier does not match the code_challenge supplied in the authorization request.',
    grant,
  ),
  redirect_uri_not_for_pages: aadsts(
    9002326,
    "Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type. Request origin: '${sent}'.",
    { status: 400, error: 'invalid_request' },
  ),
  redirect_uri_only_for_pages: aadsts(
    9002327,
    "Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin requests.",
    { status: 400, error: 'invalid_request' },
  ),
  // refresh tokens
  refresh_token_expired_or_unknown: aadsts(
    700082,
    'The refresh token has expired due to inactivity. Send a new interactive authorization request for this user and resource.',
    grant,
  ),
  refresh_token_of_another_client: malformed('The refresh token was issued to another application.'),
  authorization_revoked: aadsts(
    50173,
    'The provided grant has expired due to it being revoked, a fresh auth token is needed. The user might have changed or reset their password.',
    { ...grant, suberror: 'bad_token' },
  ),
  // on behalf of a user
  user_assertion_audience_mismatch: aadsts(
    500131,
    "Assertion audience does not match the Client app presenting the assertion. The audience in the assertion was '${sent}' and the expected audience is '{client}' or one of the Application Uris of this application with App ID '{client}'({application}). The downstream client must request a token for the expected audience (the application that made the OBO request) and this application should use that token as the assertion.",
    grant,
  ),
  user_assertion_expired: aadsts(
    500133,
    'Assertion is not within its valid time range. Ensure that the access token is not expired before using it for user assertion, or request a new token. Current time: {now}, expiry time of assertion ${sent}.',
    grant,
  ),
  user_assertion_unusable: [
    {
      sent: 'an ID token',
      ...aadsts(240002, "Input id_token cannot be used as 'urn:ietf:params:oauth:grant-type:jwt-bearer' grant.", grant),
    },
    {
      sent: 'a token without a user',
      ...aadsts(7000114, "Application '{client}' is not allowed to make application on-behalf-of calls.", grant),
    },
    aadsts(50013, 'Assertion failed signature validation. [Reason - The key was not found.]', grant),
  ],
  // devices
  authorization_pending: aadsts(70016, 'OAuth 2.0 device flow error. Authorization is pending. Continue polling.'),
  device_code_expired: aadsts(
    70020,
    "The provided value for the input parameter 'device_code' is not valid. This device code has expired.",
  ),
  device_code_unknown: aadsts(70018, 'Bad verification code.', { status: 400, error: 'bad_verification_code' }),
};

const otherForms = /^(management_|access_token_|on_token_)/;

/** Errors of Graph have these ids in members of their own (`asGraphError`). */
const graphPath = /^(\/[^/?]+)*\/v1\.0\//;

/** Adds the ids and the time that each error of the platform has, in its text and as members. */
export const finishError: FinishError = (rule, error, { server, asked }) => {
  if (otherForms.test(error.reason) || graphPath.test(asked?.url ?? '')) return rule;
  const spoken = ownRule(server, error) ?? rule;
  const trace_id = stableId(server.random.id());
  const correlation_id = correlationIn(asked?.url, asked?.headers) ?? stableId(server.random.id());
  const now = new Date(server.clock() * 1000).toISOString();
  const timestamp = now.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
  const client = error.details.client_id ?? asked?.client_id ?? error.details.sent ?? '';
  const text = filled(spoken?.error_description ?? error.description, {
    tenant: server.dialect?.options.tenant ?? '',
    client,
    application: server.clients.get(client)?.client_name ?? client,
    now,
  });
  return {
    ...spoken,
    error_description: `${text}${/[.!?]$/.test(text) ? '' : '.'} Trace ID: ${trace_id} Correlation ID: ${correlation_id} Timestamp: ${timestamp}`,
    members: { error_codes: [], ...spoken?.members, timestamp, trace_id, correlation_id },
  };
};

/** Rules that depend on more than the reason. */
function ownRule(server: AuthorizationServer, { reason, code, details }: OAuthError): ErrorRule | undefined {
  if (reason === 'chosen_on_login_screen') return chosenError(code);
  return reason === 'scope_not_registered' ? foreignScopeError(server, details.sent) : undefined;
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** The id that an SDK gave its request, in the query or in a header. */
function correlationIn(url = '', headers: Readonly<Record<string, unknown>> = {}): string | undefined {
  const sent = new URLSearchParams(url.split('?')[1]).get('client-request-id') ?? headers['client-request-id'];
  return typeof sent === 'string' && /^[\w-]{1,64}$/.test(sent) ? sent : undefined;
}

interface Row {
  readonly error?: string;
  readonly status?: number;
  /** SDKs ask the user again for some of them. */
  readonly suberror?: string;
}

/**
 * An error with its number. `${sent}` and `${expected}` are those of the error; `{tenant}`, `{client}`, `{application}` and
 * `{now}` are the tenant, the id and the name of the application, and the time.
 */
function aadsts(code: number, text: string, { suberror, ...row }: Row = {}): ErrorRule {
  return {
    ...row,
    error_description: `AADSTS${code}: ${text}`,
    members: { error_codes: [code], ...defined({ suberror }) },
  };
}

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

function chosenError(code: string): ErrorRule | undefined {
  const [number, text, error] = chosen[code] ?? [];
  if (number === undefined) return undefined;
  return {
    error_description: `AADSTS${number}: ${text}`,
    members: { error_codes: [number] },
    ...(error !== undefined && { error }),
  };
}

/** The error about a scope that the client may not ask for. It depends on what the tenant knows of the scope and its API. */
function foreignScopeError(server: AuthorizationServer, sent = ''): ErrorRule {
  const [scope = ''] = parseScope(sent);
  const { resource = graph.appId, name = scope } = resourceScope(scope) ?? {};
  const clients = [...server.clients.values()];
  const known = clients.flatMap(client => parseScope(client.scope));
  const apis = [...known.map(each => resourceScope(each)?.resource), ...clients.flatMap(client => client.audience)];
  if (resource !== graph.appId && !apis.includes(resource)) {
    return aadsts(
      500011,
      `The resource principal named ${resource} was not found in the tenant named {tenant}. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You might have sent your authentication request to the wrong tenant.`,
      { status: 400, error: 'invalid_resource' },
    );
  }
  if (known.includes(scope)) {
    return aadsts(
      65001,
      "The user or administrator has not consented to use the application with ID '{client}' named '{application}'. Send an interactive authorization request for this user and resource.",
      { status: 400, error: 'invalid_grant', suberror: 'consent_required' },
    );
  }
  return aadsts(
    650053,
    `The application '{application}' asked for scope '${name}' that doesn't exist on the resource '${resource}'. Contact the app vendor.`,
    { status: 400, error: 'invalid_client' },
  );
}
