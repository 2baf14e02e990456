/** A workshop: where learners get their seats, and what lets the trainer in. */
export interface SandboxWorkshop {
  /** The page for learners. */
  readonly join: string;
  /** The page of the trainer, with the board. */
  readonly room: string;
  /** The trainer types it at `room`; it also is the token of the control API. */
  readonly key: string;
}

declare module '../../../sandbox/sandbox-members.ts' {
  interface SandboxMembers {
    /** The workshop; absent without `workshop`. */
    readonly workshop?: SandboxWorkshop;
  }
}
