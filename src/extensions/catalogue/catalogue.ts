import type { ClientEntry } from '../../sandbox/config/client/client-config.ts';
import { demoKey } from './demo-key.ts';
import { demoKeyFile, demoPrivateKey } from './demo-private-key.ts';
import { applicationKinds } from './ready-client.ts';
import { readyClients } from './ready-clients.ts';

export type ClientCatalogue = ReturnType<typeof createCatalogue>;

/** The parts that a page shows. `linesOf` makes the lines of an entry for `clients.config.ts`. */
export function createCatalogue(linesOf: (settings: ClientEntry) => string) {
  return { kinds: applicationKinds, clients: readyClients, demoKey, demoPrivateKey, demoKeyFile, linesOf };
}
