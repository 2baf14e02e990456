import type { EventLog } from '../events/event-log.ts';
import type { RegisteredClient } from '../oauth/clients/client.ts';
import type { ScopeDefinition } from '../oauth/scope.ts';
import type { TestUser } from '../oauth/users/user.ts';

/** What an explanation may look up. */
export interface Known {
  readonly events: EventLog;
  readonly issuer: string;
  /** The path of the issuer, before every path of its own; mostly empty. */
  readonly base: string;
  /** All clients there are now. */
  readonly registered: () => Iterable<RegisteredClient>;
  /** All users there are now. */
  readonly accounts: () => Iterable<TestUser>;
  readonly scopes: readonly ScopeDefinition[];
  readonly endpoints: readonly { readonly name: string; readonly method: string; readonly path: string }[];
  /** Of the sample backend, as far as its scopes say what a token is for. */
  readonly collections?: readonly {
    readonly name: string;
    readonly readScope?: string;
    readonly writeScope?: string;
  }[];
  /** Where back ends reach this server, if that is another address than the issuer. */
  readonly backchannelUrl?: string | undefined;
  /** Unix seconds. */
  readonly clock: () => number;
}
