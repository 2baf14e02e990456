/** The demo app got the response to a sign-in. */
export interface AppCallback {
  readonly type: 'app.callback';
  readonly client_id: string;
  /** Names of the parameters that came. */
  readonly parameters: readonly string[];
}

/** The demo app sends a code to the provider that it believes to have asked. */
export interface AppCodeSent {
  readonly type: 'app.code_sent';
  readonly client_id: string;
  /** The issuer whose token endpoint gets the code. */
  readonly issuer: string;
}

/** The demo app signed somebody in. */
export interface AppSignedIn {
  readonly type: 'app.signed_in';
  readonly client_id: string;
  readonly iss: string;
  /** The `sub` in the ID token that the app got. */
  readonly sub: string;
  /** The `sub` for which the account was opened: it differs where the app knows people by something that changes. */
  readonly account: string;
  /** The `sub` of the account that this browser was signed in to until then. */
  readonly before?: string;
}

/** Reason why the demo app does not sign anybody in. */
export type AppRefusalReason =
  | ('state' | 'nonce' | 'iss' | 'aud' | 'azp' | 'alg')
  /** The ID token has no `sub`, or UserInfo has a different one. */
  | 'sub'
  /** The authorization endpoint or the token endpoint answered with an error. */
  | 'error'
  | 'signature'
  /** The ID token has expired, or has no `exp`. */
  | 'exp'
  | ('iat' | 'token_type');

/** The demo app refused the response to a sign-in. */
export interface AppRefused {
  readonly type: 'app.refused';
  readonly client_id: string;
  readonly why: AppRefusalReason;
  readonly sent: string;
  readonly expected: string;
}

export type AppEvent = AppCallback | AppCodeSent | AppSignedIn | AppRefused;
