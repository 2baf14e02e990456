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
  /** The source of the choice: the sign-in page, `nextLogin`, or a login without a browser. */
  readonly by: 'login_screen' | 'next_login' | 'control';
}

export type LoginEvent = LoginSucceeded | AnswerReplaced;

/** Items a user allowed and refused on the consent screen. */
interface ConsentGranted {
  readonly type: 'consent.granted';
  readonly sub: string;
  readonly client_id: string;
  readonly scope?: string;
  /** Asked for, and unticked: scopes, claims, types of authorization details. */
  readonly withheld: readonly string[];
  /** True if this browser will not be asked again. */
  readonly remembered: boolean;
}

/** The user denied the whole consent request. */
interface ConsentDenied {
  readonly type: 'consent.denied';
  readonly sub: string;
  readonly client_id: string;
}

export type ConsentEvent = ConsentGranted | ConsentDenied;

// Decisions of users on a different device (RFC 8628, OIDC CIBA).

/** A client got a device code and a user code (RFC 8628 §3.2). */
interface DeviceRequested {
  readonly type: 'device.requested';
  readonly authorizationId: string;
  readonly client_id: string;
  readonly scope?: string;
  readonly user_code: string;
  readonly verification_uri_complete: string;
  /** Unix seconds. */
  readonly exp: number;
  readonly ignored: readonly string[];
}
/** A client asked for the approval of a user on a different device (OIDC CIBA §7). */
interface CibaRequested {
  readonly type: 'ciba.requested';
  readonly authorizationId: string;
  readonly client_id: string;
  /** The user who is asked. */
  readonly sub: string;
  readonly scope: string;
  readonly binding_message?: string;
  readonly delivery: 'poll' | 'ping';
  /** Where the user decides. */
  readonly approvals_uri: string;
  /** Unix seconds. */
  readonly exp: number;
  readonly ignored: readonly string[];
}

/** The user decided on the verification page, or about a CIBA request. */
interface Decided {
  readonly type: 'device.approved' | 'device.denied' | 'ciba.approved' | 'ciba.denied';
  readonly authorizationId: string;
  readonly client_id: string;
  readonly sub: string;
}
/** A client in ping mode was notified that its user has decided (OIDC CIBA §10.2). */
interface CibaNotified {
  readonly type: 'ciba.notified';
  readonly authorizationId: string;
  readonly client_id: string;
  readonly url: string;
  /** Status of the client's answer; absent if it did not answer. */
  readonly status?: number;
  readonly milliseconds?: number;
  readonly failure?: string;
}

export type DecisionEvent = DeviceRequested | CibaRequested | Decided | CibaNotified;
