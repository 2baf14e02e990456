import type { Emit } from '../base/events/event.ts';
import type { SigningKey } from './tokens/signing-key.ts';

/** A JWT before it is signed, and its recipient. */
export interface JwtDraft {
  readonly kind: 'access' | 'id';
  readonly key: SigningKey;
  readonly typ: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly client_id: string;
  /** The user as stored in the directory; absent if a client acts for itself. */
  readonly sub?: string | undefined;
  readonly emit: Emit;
}

/** The tampered JWT that is sent in place of the real one, with its contents. */
export interface BentJwt {
  readonly token: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Name of its defect, such as `expired`. */
  readonly defect: string;
}

/** The one place where a JWT may be damaged on purpose before it is signed. A server without it never lies. */
export interface Tampering {
  /** The JWT to send instead; undefined if this one is to be sent as it is. */
  jwt(draft: JwtDraft): Promise<BentJwt | undefined> | undefined;
}
