import type { ClientEntry } from '../config/client/client-config.ts';
import { demoKey } from './demo-key.ts';
import { demoKeyFile, demoPrivateKey } from './demo-private-key.ts';
import { type ApplicationKind, applicationKinds, type ReadyClient } from './ready-client.ts';
import { readyClients } from './ready-clients.ts';

/** The parts of the catalogue that a page shows. */
export interface ClientCatalogue {
  /** The titles of the groups, in their order. */
  readonly kinds: Readonly<Record<ApplicationKind, string>>;
  readonly clients: readonly ReadyClient[];
  /** The public JWK of the demo key. */
  readonly demoKey: Readonly<Record<string, string>>;
  readonly demoPrivateKey: string;
  /** The name under which commands fetch the private key. */
  readonly demoKeyFile: string;
  /** An entry as lines for `clients.config.ts`. */
  readonly linesOf: (settings: ClientEntry) => string;
}

/** `linesOf` is a parameter, because it belongs to the control of clients. */
export function createCatalogue(linesOf: ClientCatalogue['linesOf']): ClientCatalogue {
  return { kinds: applicationKinds, clients: readyClients, demoKey, demoPrivateKey, demoKeyFile, linesOf };
}
