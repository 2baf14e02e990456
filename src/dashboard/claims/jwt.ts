import type { IssuedEvent } from '../../base/events/event-log.ts';

/** The signed JWT inside a token that is encrypted for its client; any other token unchanged. */
export function readableToken({ token, signed }: { readonly token: string; readonly signed?: string }): string {
  return signed ?? token;
}

/** The claims that an opaque access token stands for (RFC 7662 §2.2); undefined for other tokens. */
export function standsFor(event: IssuedEvent): Readonly<Record<string, unknown>> | undefined {
  return event.type === 'token.issued' ? event.claims : undefined;
}
