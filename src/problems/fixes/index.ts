import type { RefusalReason } from '../refusal-reason.ts';
import { apiFixes } from './api.ts';
import { certificateFixes } from './certificate.ts';
import { clientFixes } from './client.ts';
import { consentFixes } from './consent.ts';
import { controlFixes } from './control.ts';
import { decisionFixes } from './decision.ts';
import { doorFixes } from './door.ts';
import { dpopFixes } from './dpop.ts';
import type { Fix } from './fix.ts';
import { loginFixes } from './login.ts';
import { registrationFixes } from './registration.ts';
import { requestFixes } from './request.ts';
import { tokenFixes } from './token.ts';
import { tokenStatusFixes } from './token-status.ts';

export type { Fix } from './fix.ts';

/** How to repair a refusal; undefined for a reason we do not know. */
export function fixFor(reason: string): Fix | undefined {
  return Object.hasOwn(fixes, reason) ? fixes[reason as RefusalReason] : undefined;
}

/** One entry per reason; the compiler demands a new one when a reason is added. */
export const fixes: Readonly<Record<RefusalReason, Fix>> = {
  ...apiFixes,
  ...tokenFixes,
  ...tokenStatusFixes,
  ...consentFixes,
  ...registrationFixes,
  ...controlFixes,
  ...decisionFixes,
  ...loginFixes,
  ...doorFixes,
  ...dpopFixes,
  ...certificateFixes,
  ...clientFixes,
  ...requestFixes,
  body_malformed: {
    fix: 'Encode the body as a form: name=value pairs joined by &, each percent-encoded as UTF-8. Registration alone takes JSON.',
    rfc: 'RFC 6749 §3.2',
  },
  body_too_large: {
    fix: 'Send only the parameters of the request; the limit is 64 KiB; for the control API 1 MiB and 5000 values.',
    rfc: 'RFC 9110 §15.5.14',
  },
  content_type_unsupported: {
    fix: 'Send Content-Type: application/x-www-form-urlencoded, or application/json to register a client. Nothing else is understood.',
    rfc: 'RFC 6749 §3.2',
  },
  foreign_origin: {
    fix: 'Open the page in the browser itself. Outside a browser, leave out Origin and Sec-Fetch-Site. DASHBOARD_ALLOWED_ORIGINS lets a page of another origin read the JSON and the event stream of the dashboard.',
    rfc: 'RFC 6454 §7',
  },
  hint_invalid: {
    fix: 'Send an ID Token this server issued since its start as id_token_hint, or leave the hint out.',
    rfc: 'OIDC RP-Initiated Logout §2',
  },
  hint_of_another_user: {
    fix: 'Somebody else is signed in than the hint names. Leave out the hint, or let the user log in again.',
    rfc: 'OIDC Core §3.1.2.2',
  },
  internal: {
    fix: 'This one is on us. The log has the details under the id of the request.',
    rfc: 'RFC 6749 §4.1.2.1',
  },
  login_failed: {
    fix: 'Check username and password. Where no password is configured for a demo user, any is accepted.',
    rfc: '',
  },
  login_required: {
    fix: 'There was no session, and prompt=none never shows a page. Log in once without it; in an iframe, check that third-party cookies are not blocked.',
    rfc: 'OIDC Core §3.1.2.6',
  },
  method_not_allowed: {
    fix: 'Use a method the Allow header of the answer names.',
    rfc: 'RFC 9110 §15.5.6',
  },
  parameter_malformed: {
    fix: 'Write the parameter in the form its specification asks for, percent-encoded once.',
    rfc: 'RFC 6749 §4.1.2.1',
  },
  parameter_missing: {
    fix: 'Add the parameter. An empty value counts as absent.',
    rfc: 'RFC 6749 §3.1',
  },
  parameter_repeated: {
    fix: 'Send each parameter once. Look for a library that appends to an address which already has it.',
    rfc: 'RFC 6749 §3.1',
  },
  parameter_unsupported: {
    fix: 'Leave the parameter out; the discovery document says what is offered.',
    rfc: 'OIDC Core §3.1.2.6',
  },
  parameters_too_many: {
    fix: 'Send only the parameters of the request.',
    rfc: 'RFC 6749 §3.1',
  },
  path_unknown: {
    fix: 'Take the addresses of the endpoints from the discovery document.',
    rfc: 'RFC 8414 §3',
  },
  pkce_method_unsupported: {
    fix: 'Send code_challenge_method=S256 and the base64url of the SHA-256 of the verifier.',
    rfc: 'RFC 7636 §4.3',
  },
  pkce_missing: {
    fix: 'This client must use PKCE: make a verifier, send code_challenge and code_challenge_method=S256 here and code_verifier with the code. Every current library has it built in.',
    rfc: 'RFC 7636 §4.4.1',
  },
  pkce_unexpected: {
    fix: 'Send code_challenge when the login starts, or leave code_verifier out.',
    rfc: 'RFC 9700 §2.1.1',
  },
  post_logout_redirect_uri_mismatch: {
    fix: "Add the address to the client's post_logout_redirect_uris, character by character, and send id_token_hint or client_id.",
    rfc: 'OIDC RP-Initiated Logout §3',
  },
  prompt_invalid: {
    fix: 'Use none alone, or any of login, consent and select_account.',
    rfc: 'OIDC Core §3.1.2.1',
  },
  rate_limited: {
    fix: 'Wait as long as Retry-After says. The limit is a setting of the sandbox.',
    rfc: 'RFC 6585 §4',
  },
  redirect_uri_missing: {
    fix: 'Send the redirect_uri; it can be left out only where exactly one is registered.',
    rfc: 'RFC 6749 §3.1.2.3',
  },
  redirect_uri_not_registered: {
    fix: "Add exactly this address to the client's redirect_uris: mind http or https, the port, and the slash at the end. No redirect happened, on purpose.",
    rfc: 'RFC 6749 §3.1.2.4',
  },
  resource_invalid: {
    fix: 'Send resource as an absolute URI without a fragment.',
    rfc: 'RFC 8707 §2',
  },
  response_mode_unsupported: {
    fix: 'Use one of response_modes_supported, or leave response_mode out. Tokens go into the fragment or a form, never into a query.',
    rfc: 'OAuth 2.0 Multiple Response Types §2.1',
  },
  response_type_unsupported: {
    fix: 'Use response_type=code. The implicit and hybrid flows are removed by OAuth 2.1, and offered only where the feature implicit is on.',
    rfc: 'RFC 6749 §3.1.1',
  },
  scope_malformed: {
    fix: 'Write scopes with one space between them; commas and quotes are not separators.',
    rfc: 'RFC 6749 §3.3',
  },
  scope_missing_openid: {
    fix: 'Ask for the scope openid when the login starts.',
    rfc: 'OIDC Core §3.1.2.1',
  },
  scope_not_registered: {
    fix: "Ask only for scopes in the client's registration, or add this one there. One foreign scope refuses the whole request.",
    rfc: 'RFC 6749 §3.3',
  },
  user_denied: {
    fix: 'Nothing to repair: somebody pressed Deny. Your app should say so and offer another try.',
    rfc: 'RFC 6749 §4.1.2.1',
  },
  user_unknown: {
    fix: 'Use the sub of a demo user, or add this one to clients.config.ts.',
    rfc: '',
  },
};
