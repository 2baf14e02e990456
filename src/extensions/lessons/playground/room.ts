import type { PageContext } from '../../../dashboard/page.ts';
import type { ReadyClient } from '../../catalogue/ready-client.ts';

export interface PlaygroundOptions extends PlaygroundPlace {
  readonly desk: PageContext;
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

/** Issuers with the clients of the catalogue, one for each visitor who wants one. */
export interface VisitorIssuers {
  /** The running issuer of a visitor. */
  running(visitor: string): string | undefined;
  /** Returns the running issuer of a visitor, which is created if there is none. */
  open(visitor: string): Promise<string>;
}

/** The position of a playground among those of the sandbox. */
export interface PlaygroundPlace {
  /** For the clients that the issuer does not have; absent where no further issuer can be created. */
  readonly visitors?: VisitorIssuers;
  /** The address of the playground that created this issuer for its visitor. */
  readonly home?: string;
}
