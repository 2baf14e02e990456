import type { IssuedEvent } from '../../base/events/event-log.ts';
import { cut } from '../../base/text/words.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import type { DashboardOptions } from '../../sandbox/dashboard.ts';
import { accountOf, registeredClient } from '../clients-and-users.ts';

/** The record or request that put a claim into a token. */
export interface ClaimOrigin {
  readonly source:
    | 'server'
    | 'request'
    | 'claims_parameter'
    | 'login'
    | 'edit'
    | 'proof'
    | 'user'
    | 'client'
    | 'scope'
    | 'default'
    | 'preset'
    | 'rule'
    | 'unknown';
  /** `From the record of user alice`. */
  readonly words: string;
  /** The page of that record; the path starts below that of the issuer. */
  readonly path?: string;
  /** A sentence, present if the record has a different value now. */
  readonly since?: string;
}

/** A token with its client and its user, as far as they still exist. */
export interface Issuance {
  readonly event: IssuedEvent;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The current record; undefined if it was deleted. */
  readonly client: RegisteredClient | undefined;
  readonly user: TestUser | undefined;
  readonly scopes: DashboardOptions['scopes'];
  /** Whether the record was changed after the token was issued. */
  readonly changedSince: (what: 'client' | 'user') => boolean;
}

/** The collections in which origins are looked up. */
export type OriginRecords = Pick<DashboardOptions, 'registered' | 'accounts' | 'scopes' | 'events'>;

/** Looks up the client and the user of a token. */
export function issuanceOf(event: IssuedEvent, claims: Issuance['claims'], records: OriginRecords): Issuance {
  const changes = records.events
    .latest('configuration.changed', Number.POSITIVE_INFINITY)
    .filter(change => change.id > event.id);
  return {
    event,
    claims,
    client: registeredClient(records, event.client_id),
    user: event.sub === undefined ? undefined : accountOf(records, event.sub),
    scopes: records.scopes,
    changedSince: what =>
      changes.some(
        change => change.what === what && change.subject === (what === 'user' ? event.sub : event.client_id),
      ),
  };
}

const longestShown = 120;

/** A value as JSON for a sentence, cut after 120 characters. */
export function shownValue(value: unknown): string {
  return cut(JSON.stringify(value) ?? 'undefined', longestShown);
}
