// Decisions of users on a different device (RFC 8628, OIDC CIBA).

/** A client got a device code and a user code (RFC 8628 §3.2). */
export interface DeviceRequested {
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
/** On the verification page. */
export interface DeviceDecided {
  readonly type: 'device.approved' | 'device.denied';
  readonly authorizationId: string;
  readonly client_id: string;
  readonly sub: string;
}

/** A client asked for the approval of a user on a different device (OIDC CIBA §7). */
export interface CibaRequested {
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

/** The user approved or denied a CIBA request. */
export interface CibaDecided {
  readonly type: 'ciba.approved' | 'ciba.denied';
  readonly authorizationId: string;
  readonly client_id: string;
  readonly sub: string;
}
/** A client in ping mode was notified that its user has decided (OIDC CIBA §10.2). */
export interface CibaNotified {
  readonly type: 'ciba.notified';
  readonly authorizationId: string;
  readonly client_id: string;
  readonly url: string;
  /** Status of the client's answer; absent if it did not answer. */
  readonly status?: number;
  readonly milliseconds?: number;
  readonly failure?: string;
}

export type DecisionEvent = DeviceRequested | DeviceDecided | CibaRequested | CibaDecided | CibaNotified;
