import type { Duration } from '../clock/duration.ts';
import type { IssuerEntry } from '../config/sandbox-config.ts';

/** What an issuer that is made at run time may say for itself; what it does not say is as with the first. */
export type ShortLivedConfig = Omit<IssuerEntry, 'keysFile'>;

/** How it lives. */
export interface ShortLivedOptions {
  /** Its path is `/i/<id>`: up to 64 letters, digits and . _ ~ -. Default: a random one. */
  readonly id?: string;
  /** Real time, in seconds or as text such as `5m`, until it ends by itself: up to a day. Default 3600. */
  readonly lifetime?: Duration;
  /**
   * `shared`, the default without a `seed` of its own: it begins with the key pairs of the first, so that none has to be made,
   * and what is rotated is its own. `own`: key pairs of its own.
   */
  readonly keys?: 'shared' | 'own';
}

/** An issuer that was made at run time. */
export interface ShortLived {
  readonly id: string;
  /** The issuer identifier. */
  readonly issuer: string;
  /** Unix seconds of real time. */
  readonly createdAt: number;
  /** Unix seconds of real time: until then it lives. */
  readonly expiresAt: number;
  /** The address of its dashboard; absent where it has none. */
  readonly dashboard?: string;
}

/** The issuers that one issuer has made at run time. */
export interface ShortLivedIssuers {
  /** @throws OAuthError that names every member that is wrong, or that there are too many */
  create(config: unknown, options: ShortLivedOptions): Promise<ShortLived>;
  /** Ends one; false where there is none. */
  delete(id: string, by: 'dashboard' | 'api'): boolean;
  /** Those that live, the oldest first. */
  list(): readonly ShortLived[];
}
