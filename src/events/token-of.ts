import type { EventOf, SandboxEvent } from './event.ts';

/** A code or token that was issued, as the log holds it. */
export type IssuedEvent = EventOf<'token.issued'> | EventOf<'code.issued'>;

/** Whether an event is the birth of a code or token. */
export function isIssued(event: SandboxEvent): event is IssuedEvent {
  return event.type === 'token.issued' || event.type === 'code.issued';
}

/** The token an event used, refused or asked about. There may be more of these than of all that grew from its authorization. */
export function usedToken(event: SandboxEvent): string | undefined {
  if (event.type === 'token.used') return event.tokenId;
  return event.type === 'error.returned' || event.type === 'token.introspected' ? event.about : undefined;
}
