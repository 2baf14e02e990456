/** Answer of another server. */
export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case; of repeated ones the first. */
  readonly headers: Readonly<Record<string, string>>;
  /** UTF-8 text, at most the asked number of bytes. */
  readonly body: string;
  readonly milliseconds: number;
}

export interface OutboundOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** The most bytes a body may have; 64 KiB where it is not said. */
  readonly maxBytes?: number;
  /** The longest it may take, in milliseconds, where that is less than usual. */
  readonly timeoutMs?: number;
}

/**
 * The only way out of the sandbox: `jwks_uri`, client metadata documents, sector documents, logout and CIBA notices. Follows
 * no redirect, waits at most a few seconds, and connects to no address that is neither loopback nor allowed.
 */
export interface Outbound {
  /** @throws OutboundError */
  get(url: string, options?: OutboundOptions): Promise<OutboundAnswer>;
  /** @throws OutboundError */
  post(url: string, body: string, options?: OutboundOptions): Promise<OutboundAnswer>;
}

/** Why there is no answer. */
export type OutboundFailure = 'url_invalid' | 'address_forbidden' | 'timeout' | 'too_large' | 'unreachable';

export class OutboundError extends Error {
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
    this.failure = failure;
  }
}
