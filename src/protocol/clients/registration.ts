import type { InputFault } from '../errors.ts';
import type { RegisteredClient } from './client.ts';

/** Rules for registration, and the function that turns metadata into a client by the rules of a configuration entry. */
export interface Registration {
  /** `token`: with the initial access token only (RFC 7591 §3). The feature `registration` turns registration on. */
  readonly mode: 'open' | 'token';
  readonly initialAccessToken?: string;
  /** Checks an entry with a `client_id` and fills its defaults. It checks RFC 7591 metadata only, not our own extensions. */
  readonly readClient: (
    metadata: Readonly<Record<string, unknown>>,
    origin: RegisteredClient['origin'],
  ) => Promise<{ readonly client: RegisteredClient } | { readonly faults: readonly InputFault[] }>;
}
