import type { InputFault } from '../errors.ts';
import type { RegisteredClient } from './client.ts';

/** Who may register, and how metadata becomes a client: by the same rules as an entry of the configuration. */
export interface Registration {
  /** `token`: with the initial access token only (RFC 7591 §3). Whether there is registration at all is a feature. */
  readonly mode: 'open' | 'token';
  readonly initialAccessToken?: string;
  /** Checks an entry with a `client_id` and fills its defaults; nothing of ours but RFC 7591 metadata is refused here. */
  readonly readClient: (
    metadata: Readonly<Record<string, unknown>>,
    origin: RegisteredClient['origin'],
  ) => Promise<{ readonly client: RegisteredClient } | { readonly faults: readonly InputFault[] }>;
}
