import type { EventOf, SandboxEvent } from '../../../base/events/event.ts';

/** Scopes of the latest login by the ring that they fell out of: asked for, registered, consented. */
export interface ScopeRings {
  /** Asked for, and not registered for the client. */
  readonly onlyAsked: readonly string[];
  /** Registered for the client, and not asked for. */
  readonly onlyRegistered: readonly string[];
  /** Asked for and registered, and withheld by the user. */
  readonly withheld: readonly string[];
  /** In all three rings. */
  readonly granted: readonly string[];
  /** The user was asked. */
  readonly hasConsent: boolean;
}

/**
 * Reads the rings from the events of an issuer, oldest first. Undefined before the first code.
 * @param registered scopes by `client_id`
 */
export function scopeRings(
  events: readonly SandboxEvent[],
  registered: ReadonlyMap<string, readonly string[]>,
): ScopeRings | undefined {
  const code = events.findLast(event => event.type === 'code.issued');
  if (code === undefined) return undefined;
  const before = events.filter(({ id }) => id < code.id);
  const isOfClient = <T extends { readonly client_id: string }>({ client_id }: T) => client_id === code.client_id;
  const asked = before.findLast((event): event is EventOf<'authorization.requested'> => {
    return event.type === 'authorization.requested' && isOfClient(event);
  });
  // the consent page comes between the request and the code
  const since = before.findLast(({ type }) => type === 'login.succeeded')?.id ?? 0;
  const consent = before.findLast((event): event is EventOf<'consent.granted'> => {
    return event.type === 'consent.granted' && event.id > since && isOfClient(event);
  });
  const own = registered.get(code.client_id) ?? [];
  const wanted = asked?.scope?.split(' ') ?? own;
  const withheld = new Set(consent?.withheld ?? []);
  const allowed = wanted.filter(scope => own.includes(scope));
  return {
    onlyAsked: wanted.filter(scope => !own.includes(scope)),
    onlyRegistered: own.filter(scope => !wanted.includes(scope)),
    withheld: allowed.filter(scope => withheld.has(scope)),
    granted: allowed.filter(scope => !withheld.has(scope)),
    hasConsent: consent !== undefined,
  };
}
