/** Somebody moved the time of the sandbox. */
export interface ClockChanged {
  readonly type: 'clock.changed';
  /** `api` is the sample backend; `all` is the issuer and that. */
  readonly who: 'all' | 'issuer' | 'api';
  readonly by: 'dashboard' | 'api' | 'library';
  /** Whole seconds from the real time to the moved time; negative if that is behind. */
  readonly offset: number;
  /** The clock is frozen. */
  readonly frozen?: true;
}
