import * as v from 'valibot';
import { collectionMembers } from '../../../config/collection-entry.ts';
import { entryOperations } from './entries.ts';

/** Collections of the sample backend, while the sandbox runs. Their rows stay where fields and seed do. */
export const resourceOperations = entryOperations({
  ...{ kind: 'collection', name: 'Resource', path: '/resources' },
  schema: v.strictObject({ name: v.string(), ...collectionMembers }),
});
