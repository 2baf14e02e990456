import type { IssuedEvent } from '../../events/event-log.ts';

/** What of a token can be taken apart: of one that is encrypted to its client, what is inside. */
export function readableToken({ token, signed }: { readonly token: string; readonly signed?: string }): string {
  return signed ?? token;
}

/** The claims of an opaque access token, which itself says nothing (RFC 7662 §2.2). */
export function standsFor(event: IssuedEvent): Readonly<Record<string, unknown>> | undefined {
  return event.type === 'token.issued' ? event.claims : undefined;
}
