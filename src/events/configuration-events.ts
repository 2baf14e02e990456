/** What can be reset by itself. */
export const resetParts = ['history', 'configuration', 'resources', 'sessions', 'clock', 'faults'] as const;
export type ResetPart = (typeof resetParts)[number];

/** The sandbox forgot what happened, what was changed, or all of it. */
export interface SandboxReset {
  readonly type: 'sandbox.reset';
  /** Absent for everything. */
  readonly part?: ResetPart;
}

/** The owner of the sandbox changed what was configured, while it ran. */
export interface ConfigurationChanged {
  readonly type: 'configuration.changed';
  readonly what: 'client' | 'user' | 'keys';
  /** The `client_id` or `sub`; of keys, their algorithms. */
  readonly subject: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** Names of what was set, or returned to its default. */
  readonly members: readonly string[];
  readonly by: 'dashboard' | 'api' | 'library' | 'login_screen';
}
