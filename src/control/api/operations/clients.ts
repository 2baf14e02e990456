import { clientSchema } from '../../../config/client/client-schema.ts';
import { entryOperations } from './entries.ts';

/** Clients, while the sandbox runs. */
export const clientOperations = entryOperations({
  ...{ kind: 'client', name: 'Client', path: '/clients', schema: clientSchema },
});
