/** The rule that signed the user in: a click on a card, a typed password, or a way without a click. */
export type LoginRule =
  | ('click' | 'password')
  | ('next_login' | 'sandbox_login' | 'login_hint' | 'client' | 'environment')
  /** A call that logs in without a browser. */
  | 'control';

/** A user signed in. */
export interface LoginSucceeded {
  readonly type: 'login.succeeded';
  readonly sub: string;
  readonly sid: string;
  readonly amr: readonly string[];
  readonly client_id?: string;
  readonly by?: LoginRule;
  /** Names of the claims that were set or removed for this login. */
  readonly edited?: readonly string[];
  /** True if the request demanded a new login (`prompt=login`) and a rule answered for the user. */
  readonly silently?: true;
}

/** Somebody chose a different answer to a login, to test how the client reacts. */
export interface AnswerReplaced {
  readonly type: 'answer.replaced';
  readonly client_id: string;
  /** `wrong_state`: a code with a wrong `state`. `no_answer`: no answer at all. */
  readonly choice: 'wrong_state' | 'no_answer';
  /** The source of the choice: the login screen, `nextLogin`, or a login without a browser. */
  readonly by: 'login_screen' | 'next_login' | 'control';
}

export type LoginEvent = LoginSucceeded | AnswerReplaced;
