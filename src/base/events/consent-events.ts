/** Items a user allowed and refused on the consent screen. */
export interface ConsentGranted {
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
export interface ConsentDenied {
  readonly type: 'consent.denied';
  readonly sub: string;
  readonly client_id: string;
}

export type ConsentEvent = ConsentGranted | ConsentDenied;
