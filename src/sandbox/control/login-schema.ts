import * as v from 'valibot';
import { entry, list, oneOf, text } from '../config/schema.ts';
import { described, exactOptional, object } from './described.ts';
import { loginActions, loginForms } from './login-request.ts';

/** Schema of a sign-in call. */
export const loginRequest = entry({
  client: described(text, 'The client_id of a client with the authorization code grant.'),
  user: described(text, 'The sub, username or e-mail address of a user.'),
  scope: exactOptional(v.string('text'), 'Space-delimited. Default: all scopes of the client.'),
  claims: exactOptional(object, 'Claims for this sign-in, over those of the user; null removes a claim.'),
  redirect_uri: exactOptional(text, 'A registered redirect URI. Default: the first.'),
  state: exactOptional(text, 'The state parameter. Default: a random value.'),
  nonce: exactOptional(text, 'The nonce, which the ID token returns.'),
  code_challenge: exactOptional(
    text,
    'The S256 challenge. Default: the sandbox generates one and returns the verifier.',
  ),
  resource: exactOptional(
    v.union([text, list(text, 'texts')], 'text, or a list of texts'),
    'The resource indicators, as in RFC 8707.',
  ),
  as: exactOptional(
    oneOf(loginForms),
    'code: the callback URL and the code. tokens: the token response. browser: a storage state for Playwright.',
  ),
  loadUserInfo: exactOptional(
    v.boolean('true or false'),
    'With browser: adds the claims of UserInfo to the profile, like the setting of oidc-client-ts.',
  ),
  action: exactOptional(oneOf(loginActions), 'An error in place of the code. Default: the user allows everything.'),
});
