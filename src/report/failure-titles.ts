import { entryFor } from '../problems/reasons/index.ts';
import type { Check, Found } from './check.ts';

/** What happened where a check was not passed, by its id. */
const byCheck: Readonly<Record<string, string>> = {
  access_token_for_api: 'An API got another token than an access token',
  audience: 'A token was sent to an API it is not meant for',
  client_authentication: 'It did not prove who it is as it is registered',
  code_in_time: 'An expired or unknown code was redeemed',
  code_once: 'A code was redeemed twice',
  code_redeemed: 'A code was never redeemed',
  csrf_protection: 'A login came without state, nonce and PKCE',
  iss_compared: 'The answer of another issuer was believed',
  logout_hint: 'A logout came without id_token_hint',
  no_expired_token: 'An expired token was sent again and again',
  no_implicit: 'An access token was asked for at the authorization endpoint',
  no_other_refusal: 'Other requests were refused',
  no_password_grant: 'The password grant was used',
  no_redirect_loop: 'A login went round in circles',
  no_secret_in_url: 'A secret was sent in an address',
  no_token_in_url: 'An access token was sent in an address',
  nonce_sent: 'A login came without nonce and without PKCE',
  nonce_unique: 'A nonce was used for more than one login',
  parameters_known: 'A parameter was ignored',
  pkce_s256: 'A login came without PKCE',
  pkce_unique: 'A code_challenge was used for more than one login',
  pkce_verifier: 'The code_verifier did not belong to the code_challenge',
  polls_patiently: 'It polled too fast',
  public_without_secret: 'A public client sent a secret',
  pushed_requests: 'A request was not pushed',
  redirect_uri_exact: 'A redirect_uri was sent that is not registered',
  redirect_uri_https: 'A code or token went to an address without https',
  refresh_rotated: 'A refresh token was sent that is not good',
  refresh_when_due: 'A token was refreshed while it was still good',
  scope: 'A scope was asked for that was refused',
  sender_constrained: 'A request came without a good proof of its key',
  state_compared: 'An answer with a wrong state was believed',
  state_random: 'A state can be guessed',
  state_unique: 'A state was used for more than one login',
};

/** The title of a check: what happened where it was not passed, and otherwise what is expected. */
export function titleOf({ id, title, reasons = [] }: Check, { verdict, requests }: Found): string {
  if (verdict !== 'fail' && verdict !== 'warn') return title;
  const refusal = requests[0]?.facts.find(fact => fact.type === 'error.returned' && reasons.includes(fact.reason));
  const reason = refusal?.type === 'error.returned' ? refusal.reason : '';
  if (id === 'pkce_verifier' && reason === 'pkce_missing') return 'A code_verifier was missing';
  return entryFor(reason)?.reported ?? byCheck[id] ?? title;
}
