import type { Emit } from '../events/event.ts';
import type { SigningKey } from './tokens/signing-key.ts';

/** A JWT before it is signed, and who it is for. */
export interface JwtDraft {
  readonly kind: 'access' | 'id';
  readonly key: SigningKey;
  readonly typ: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly client_id: string;
  /** The user, as the directory has them; absent where a client acts for itself. */
  readonly sub?: string | undefined;
  readonly emit: Emit;
}

/** The tampered JWT that is sent in place of the real one, with its contents. */
export interface BentJwt {
  readonly token: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** `expired`: what is wrong with it. */
  readonly defect: string;
}

/** The named place where what is signed may be bent on purpose. A server without it never lies. */
export interface Tampering {
  /** The JWT to send instead; undefined where this one is to be what it should be. */
  jwt(draft: JwtDraft): Promise<BentJwt | undefined> | undefined;
}
