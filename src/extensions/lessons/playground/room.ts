import type { Desk } from '../../../dashboard/desk.ts';
import type { ReadyClient } from '../../catalogue/ready-client.ts';
import type { PlaygroundPlace } from './place.ts';

export interface PlaygroundOptions extends PlaygroundPlace {
  readonly desk: Desk;
  /** The header that marks requests of the playground. */
  readonly mark: () => Readonly<Record<string, string>>;
  readonly ready: readonly ReadyClient[];
}

/** Data that the parts of the playground share. */
export interface PlaygroundRoom extends PlaygroundOptions {
  readonly at: string;
  /** The absolute address to which the server sends the browser back. */
  readonly callback: string;
}
