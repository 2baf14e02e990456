import * as v from 'valibot';
import { entry, list, oneOf, text } from '../config/schema.ts';
import { described, exactOptional, object } from './described.ts';
import { loginActions, loginForms } from './login-request.ts';

/** Schema of a login call. */
export const loginRequest = entry({
  client: described(text, 'The client_id; it must be registered for the authorization code grant.'),
  user: described(text, 'sub, username or e-mail address.'),
  scope: exactOptional(
    v.string('text'),
    'Space-delimited; all that the client is registered for where it is left out.',
  ),
  claims: exactOptional(object, 'Set over the claims of the user, for this login; null takes one away.'),
  redirect_uri: exactOptional(text, 'A registered one; the first where it is left out.'),
  state: exactOptional(text, 'A random one where it is left out.'),
  nonce: exactOptional(text, 'Comes back in the ID Token.'),
  code_challenge: exactOptional(text, 'S256; where it is left out, one is made, and the answer has its verifier.'),
  resource: exactOptional(v.union([text, list(text, 'texts')], 'text, or a list of texts'), 'RFC 8707.'),
  as: exactOptional(
    oneOf(loginForms),
    'code: the address of the callback, and the code. tokens: the token response. browser: a storage state for Playwright.',
  ),
  loadUserInfo: exactOptional(
    v.boolean('true or false'),
    'With browser: the profile has the claims of UserInfo, too, as with the setting of that name in oidc-client-ts.',
  ),
  action: exactOptional(
    oneOf(loginActions),
    'An answer in place of the code; everything is allowed where it is left out.',
  ),
});
