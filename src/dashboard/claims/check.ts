import type { IssuedEvent } from '../../base/events/event-log.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import type { TokenStatus } from '../../record/flows/token-status.ts';

/** One check that a careful receiver makes, and its result. */
export interface TokenCheck {
  readonly level: 'pass' | 'note' | 'warn' | 'fail';
  readonly text: string;
  /** `RFC 7519 §4.1.4`; empty if no standard requires the check. */
  readonly reference: string;
  /** A related page of the dashboard; the path starts below that of the issuer. */
  readonly link?: { readonly path: string; readonly words: string };
}

/** A token under examination. */
export interface ExaminedToken {
  readonly event: IssuedEvent;
  /** Absent for an opaque token. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** The claims in the token, or those that an opaque token stands for. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly status: TokenStatus;
  /** True if it was expired manually in the dashboard or by the control API. */
  readonly isEnded: boolean;
  readonly client: RegisteredClient | undefined;
  /** Unix seconds. */
  readonly now: number;
}

/** Makes a check result. */
export function check(level: TokenCheck['level'], text: string, reference = ''): TokenCheck {
  return { level, text, reference };
}
