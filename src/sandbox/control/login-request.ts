import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { chosenErrors } from '../../protocol/users/next-login.ts';

/** Results of a sign-in without a browser. */
export const loginForms = ['code', 'tokens', 'browser'] as const;

/** The result of a sign-in without a browser: a code, tokens, or browser state. */
export type LoginForm = (typeof loginForms)[number];

/** Errors that can be sent to the callback instead of a code. */
export const loginActions = ['deny', ...chosenErrors, 'wrong_state'] as const;

/** An error for the callback: `deny` is `access_denied`; `wrong_state` is a code with a wrong `state`. */
export type LoginAction = (typeof loginActions)[number];

/** A sign-in of a user at a client, without a browser. */
export interface LoginRequest {
  /** The `client_id`. It must be registered for the authorization code grant. */
  readonly client: string;
  /** `sub`, username or e-mail address. */
  readonly user: string;
  /** Space-delimited. Default: all that the client is registered for. */
  readonly scope?: string;
  /** Set over the claims of the user, for this sign-in; `null` takes one away. */
  readonly claims?: ParsedObject;
  /** A registered one. Default: the first that is registered. */
  readonly redirect_uri?: string;
  /** Default: a random one. */
  readonly state?: string;
  /** The `nonce` for the ID token (OIDC Core §3.1.2.1). Default: none. */
  readonly nonce?: string;
  /** S256; absent: one is made, and its verifier is in the answer. */
  readonly code_challenge?: string;
  /** RFC 8707. */
  readonly resource?: string | readonly string[];
  /** Default: `code`. */
  readonly as?: LoginForm;
  /** With `as: 'browser'`: the profile has the claims of UserInfo, too, as with the setting of that name in oidc-client-ts. */
  readonly loadUserInfo?: boolean;
  /** An answer to see in place of the code: consent refused (`deny`), or an error. Absent: all is allowed. */
  readonly action?: LoginAction;
}
