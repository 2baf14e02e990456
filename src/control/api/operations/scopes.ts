import * as v from 'valibot';
import { scopeMembers } from '../../../config/scope-entry.ts';
import { entryOperations } from './entries.ts';

/** Scopes, while the sandbox runs. */
export const scopeOperations = entryOperations({
  ...{ kind: 'scope', name: 'Scope', path: '/scopes' },
  schema: v.strictObject({ name: v.string(), ...scopeMembers }),
});
