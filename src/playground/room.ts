import type { Desk } from '../dashboard/desk.ts';

export interface PlaygroundOptions {
  readonly desk: Desk;
  /** The header that marks our requests. */
  readonly mark: () => Readonly<Record<string, string>>;
}

/** Shared by the parts of the playground. */
export interface PlaygroundRoom extends PlaygroundOptions {
  /** The path of the playground. */
  readonly at: string;
  /** The absolute address to which the server sends the browser back. */
  readonly callback: string;
}
