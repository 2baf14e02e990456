import * as v from 'valibot';
import { optional } from './described.ts';

/** What a caller expects of an inspected token, for the control API and the tool of agents. */
export const expectedToken = optional(
  v.strictObject({
    issuer: optional(v.string('text'), 'Compared with iss'),
    audience: optional(v.string('text'), 'Must be in aud'),
    typ: optional(v.string('text'), 'Compared with typ of the header: at+jwt'),
  }),
  'What your API expects. Each difference is one of the `faults`; default: iss is compared with this issuer, and aud with the APIs and clients that it knows',
);
