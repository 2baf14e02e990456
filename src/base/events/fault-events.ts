/** The kind of effect, as in the catalogue: it delays, replaces or changes the answer, changes a token, … */
type FaultEffectName =
  | 'wait'
  | 'hold'
  | 'rotate'
  | 'race'
  | 'answer'
  | 'bend'
  | 'respond'
  | 'replace'
  | 'forge'
  | 'cut';

/** An injected fault was applied: errors of this request are not reported as problems. */
export interface FaultApplied {
  readonly type: 'fault.applied';
  /** Name in the catalogue: `token_error`. */
  readonly fault: string;
  /** Kind of its effect: only some change later requests of the client. */
  readonly effect: FaultEffectName;
  /** `flt_…`; absent for a setting of the client, the name of a user, and the request's own header. */
  readonly faultId?: string;
  readonly endpoint: string;
  readonly client_id?: string;
  readonly sub?: string;
}

/** A fault was armed. */
export interface FaultArmed {
  readonly type: 'fault.armed';
  readonly faultId: string;
  readonly fault: string;
  readonly endpoint: string;
  readonly client_id?: string;
  readonly sub?: string;
  /** Number of requests it will affect. */
  readonly times: number | 'always';
  readonly by: 'api' | 'dashboard' | 'library';
}

/** A fault ended: it was disarmed, used up, or its time was over. */
export interface FaultDisarmed {
  readonly type: 'fault.disarmed';
  readonly faultId: string;
  readonly fault: string;
  /** Number of requests it has affected. */
  readonly met: number;
}

export type FaultEvent = FaultApplied | FaultArmed | FaultDisarmed;
