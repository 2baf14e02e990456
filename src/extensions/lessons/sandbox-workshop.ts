/** A workshop: where learners get their seats, and what lets the trainer in. */
export interface SandboxWorkshop {
  readonly join: string;
  readonly room: string;
  /** The trainer types it at `room`; it also is the token of the control API. */
  readonly key: string;
}

declare module '../../sandbox/sandbox-members.ts' {
  interface SandboxMembers {
    /** The workshop; absent without `workshop`. */
    readonly workshop?: SandboxWorkshop;
  }
}
