/** Answer of another server. */
export interface OutboundAnswer {
  readonly status: number;
  /** By lower-case name; the first of several headers with one name. */
  readonly headers: Readonly<Record<string, string>>;
  /** UTF-8 text, cut at `maxBytes`. */
  readonly body: string;
  readonly milliseconds: number;
}

export interface OutboundOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Most bytes of the body. Default: 64 KiB. */
  readonly maxBytes?: number;
  /** Longest wait in milliseconds, if shorter than usual. */
  readonly timeoutMs?: number;
}

/**
 * The only way to other servers: for `jwks_uri`, client metadata documents, sector documents, logout and CIBA notices.
 * Follows no redirect, waits a few seconds at most, and connects only to addresses that are loopback or allowed.
 */
export interface Outbound {
  /** @throws OutboundError */
  get(url: string, options?: OutboundOptions): Promise<OutboundAnswer>;
  /** @throws OutboundError */
  post(url: string, body: string, options?: OutboundOptions): Promise<OutboundAnswer>;
}

type OutboundFailure = 'url_invalid' | 'address_forbidden' | 'timeout' | 'too_large' | 'unreachable';

export class OutboundError extends Error {
  readonly failure: OutboundFailure;

  constructor(failure: OutboundFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
    this.failure = failure;
  }
}
