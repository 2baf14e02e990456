import type { Duration } from '../../base/text/duration.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import type { Defect } from '../../server/faults/fault-names.ts';

/** Types of minted tokens. */
export const mintTypes = ['access', 'id', 'refresh'] as const;

/** The type of a minted token: access token, ID token or refresh token. */
export type MintType = (typeof mintTypes)[number];

/** A request for a token without a grant. Absent members are as in a real token. */
export interface MintRequest {
  /** The `client_id` it is for. */
  readonly client: string;
  /** `sub`, username or e-mail address; absent: the client acts for itself. */
  readonly user?: string;
  /** Default: `access`. */
  readonly type?: MintType;
  /** Space-delimited; any scope is accepted. Default: all scopes that the client is registered for. */
  readonly scope?: string;
  /** `aud`. Default: as the client is registered. */
  readonly audience?: string | readonly string[];
  /** Claims to add or replace, including those of the protocol; `null` removes one. */
  readonly claims?: ParsedObject;
  /** From now to `exp`, in seconds or as text such as `5m`; negative for an expired token. Default: as the client is registered. */
  readonly lifetime?: Duration;
  /** Members of the JOSE header, in the same way. */
  readonly header?: ParsedObject;
  /** Signs with the key for this algorithm, which is created if needed. Default: the algorithm of a real token. */
  readonly alg?: string;
  /** Format of an access token. Default: the format the client is registered for. */
  readonly format?: 'jwt' | 'opaque';
  /** Deliberate defect. */
  readonly defect?: Defect;
  /** The claim that `missing_claim` leaves out. Default: `exp`. */
  readonly missing?: string;
}

/** A request that was checked: its lifetime is in seconds. */
export interface CheckedMint extends MintRequest {
  readonly lifetime?: number;
}
