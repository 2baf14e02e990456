import type { EventLog } from '../events/event-log.ts';
import type { Views } from '../http/views.ts';
import type { RegisteredClient } from '../oauth/clients/client.ts';
import type { ScopeDefinition } from '../oauth/scope.ts';
import type { TestUser } from '../oauth/users/user.ts';

type FieldType = 'string' | 'number' | 'integer' | 'boolean';

/** A collection of the sample backend, as far as a page shows it. */
export interface SampleCollection {
  readonly name: string;
  readonly readScope?: string;
  readonly writeScope?: string;
  /** Fields besides `id`: the example body of a POST where there is no seed. */
  readonly fields: Readonly<Record<string, { readonly type: FieldType; readonly required: boolean }>>;
  /** The first row, without its `id`, is the example body of a POST. */
  readonly seed?: readonly Readonly<Record<string, unknown>>[];
}

/** An address to show: `{ name: 'token', method: 'POST', path: '/oauth2/token' }`, with the path of the issuer. */
export interface EndpointFact {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

/** Whether one of our published keys signed it; nothing else of the token is judged. */
export type SignatureCheck =
  | { readonly ok: true; readonly kid: string; readonly alg: string }
  | { readonly ok: false; readonly why: string };

/** What the dashboard is told of the server; everything else it reads in the event log. */
export interface DashboardOptions {
  readonly events: EventLog;
  readonly views: Views;
  readonly issuer: string;
  /** The path of the issuer, before every path of its own; mostly empty. */
  readonly base: string;
  readonly clients: readonly RegisteredClient[];
  /** All there are now: those of the configuration, and those that registered themselves. */
  readonly registered: () => Iterable<RegisteredClient>;
  readonly users: readonly TestUser[];
  readonly scopes: readonly ScopeDefinition[];
  readonly collections: readonly SampleCollection[];
  /** The routes of the server; `authorize`, `token`, `userinfo` and `discovery` are looked up by name. */
  readonly endpoints: readonly EndpointFact[];
  /** Unix seconds. */
  readonly clock: () => number;
  /** Unix seconds. */
  readonly startedAt: number;
  readonly verify: (jwt: string) => Promise<SignatureCheck>;
  /** Sends a form to our own token endpoint over HTTP, as a client would: the demo login. */
  readonly redeem: (form: URLSearchParams) => Promise<{ readonly status: number; readonly body: unknown }>;
}
