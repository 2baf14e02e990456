import type { Duration } from '../../base/text/duration.ts';
import type { IssuerEntry } from '../config/sandbox-config.ts';

/** Most issuers created at run time. */
export const mostShortLived = 500;

/** Configuration of an issuer created at run time; members left out are those of the first issuer. */
export type ShortLivedConfig = Omit<IssuerEntry, 'keysFile'>;

/** Lifetime and keys of an issuer created at run time. */
export interface ShortLivedOptions {
  /** The id; the path of the issuer is `/i/<id>`: up to 64 letters, digits and . _ ~ -. Default: a random one. */
  readonly id?: string;
  /** Real time, in seconds or as text such as `5m`, until it ends by itself: up to a day. Default 3600. */
  readonly lifetime?: Duration;
  /**
   * `shared`, the default without a `seed`: starts with the key pairs of the first issuer, so that none has to be
   * generated; rotations do not affect the first. `own`: generates its own key pairs.
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
  /** Unix seconds of real time at which the issuer ends. */
  readonly expiresAt: number;
  /** The address of its dashboard; absent if it has none. */
  readonly dashboard?: string;
}

/** The issuers that one issuer has made at run time. */
export interface ShortLivedIssuers {
  /** @throws OAuthError that names every member that is wrong, or that there are too many */
  create(config: unknown, options: ShortLivedOptions): Promise<ShortLived>;
  /** Ends one; false where the id is unknown. */
  delete(id: string, by: 'dashboard' | 'api'): boolean;
  /** Living issuers, the oldest first. */
  list(): readonly ShortLived[];
}
