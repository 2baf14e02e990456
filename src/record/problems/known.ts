import type { Change, ChangeProblem } from '../../base/events/change.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import type { Reason } from '../../protocol/errors.ts';
import type { KnownApis } from '../../protocol/judge-claims.ts';
import type { ScopeDefinition } from '../../protocol/scope.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import type { ResourceReason } from '../resource-reason.ts';

/** The state of the sandbox that an explanation may read. */
export interface Known {
  readonly events: EventLog;
  /** The address of the issuer. */
  readonly issuer: string;
  /** The issuer identifier, as in `iss` of tokens. */
  readonly iss: string;
  /** The path of the issuer, the prefix of all its endpoints; mostly empty. */
  readonly base: string;
  readonly registered: () => Iterable<RegisteredClient>;
  readonly accounts: () => Iterable<TestUser>;
  readonly scopes: readonly ScopeDefinition[];
  readonly endpoints: readonly { readonly name: string; readonly method: string; readonly path: string }[];
  /** The collections of the sample backend with their scopes. */
  readonly collections?: readonly {
    readonly name: string;
    readonly readScope?: string;
    readonly writeScope?: string;
  }[];
  /** The address of this server for back ends, if it differs from the issuer. */
  readonly backchannelUrl?: string;
  /** The audience check of the sample backend; absent where there is none. */
  readonly api?: KnownApis;
  /** The rules of the running sandbox; absent where nobody is offered a change. */
  readonly control?: { readonly problemsOf: (change: Change) => readonly ChangeProblem[] };
  /** The most bytes of address and headers of a request. */
  readonly maxHeaderSize?: number;
  /** Unix seconds. */
  readonly clock: () => number;
}

/** Why the sample backend refused, as events have it. */
export type ApiReason = `api_${ResourceReason}`;

/** Every reason an `error.returned` of this sandbox can have. */
export type RefusalReason = Reason | ApiReason;
