import type { IssuedEvent } from '../../events/event-log.ts';
import type { TokenStatus } from '../../flows/token-status.ts';
import type { RegisteredClient } from '../../oauth/clients/client.ts';

/** What a careful receiver would look at, and how it turned out. */
export interface TokenCheck {
  readonly level: 'pass' | 'note' | 'warn' | 'fail';
  readonly text: string;
  /** Empty where no standard says it. */
  readonly reference: string;
  /** A page of the dashboard about it, under the path of the issuer. */
  readonly link?: { readonly path: string; readonly words: string };
}

/** A token under examination. */
export interface ExaminedToken {
  readonly event: IssuedEvent;
  /** Absent for an opaque token. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** What it says, or stands for. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly status: TokenStatus;
  /** It was ended before its time, by whoever owns the sandbox. */
  readonly isEnded: boolean;
  readonly client: RegisteredClient | undefined;
  /** Unix seconds. */
  readonly now: number;
}

export function check(level: TokenCheck['level'], text: string, reference = ''): TokenCheck {
  return { level, text, reference };
}
