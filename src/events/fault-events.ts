/** As the catalogue has it: waits, answers in the place of the endpoint, bends its answer or a token, cuts the connection, … */
export type FaultEffectName = 'wait' | 'hold' | 'rotate' | 'answer' | 'bend' | 'respond' | 'replace' | 'forge' | 'cut';

/** Something went wrong because somebody wanted it to: whatever is told of this request is no problem. */
export interface FaultApplied {
  readonly type: 'fault.applied';
  /** Of the catalogue: `token_error`. */
  readonly fault: string;
  /** What it does: only some change what the client will send later. */
  readonly effect: FaultEffectName;
  /** `flt_…`; absent for a setting of the client, the name of a user, and the request's own header. */
  readonly faultId?: string;
  readonly endpoint: string;
  readonly client_id?: string;
  readonly sub?: string;
}

/** A fault waits for its requests, or waits no longer. */
export interface FaultArmed {
  readonly type: 'fault.armed';
  readonly faultId: string;
  readonly fault: string;
  readonly endpoint: string;
  readonly client_id?: string;
  readonly sub?: string;
  /** How many requests it will meet. */
  readonly times: number | 'always';
  readonly by: 'api' | 'dashboard' | 'library';
}
export interface FaultDisarmed {
  readonly type: 'fault.disarmed';
  readonly faultId: string;
  readonly fault: string;
  /** How many requests it has met. */
  readonly met: number;
}
