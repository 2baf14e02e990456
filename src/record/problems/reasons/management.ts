import { compareDescribed } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';

export const managementEntries = {
  management_entry_taken: {
    title: 'The entry exists already',
    why: '{description}. The name must be unique. Nothing was changed.',
    fix: 'Choose a different name, or change the existing entry with PUT.',
    rfc: 'RFC 9110 §15.5.10',
  },
  management_entry_unknown: {
    title: 'The entry does not exist',
    why: '{description}. The path of the call names an entry by its id, or by its name.',
    fix: 'List the entries first, and take the id from the answer.',
    rfc: 'RFC 9110 §15.5.5',
    compare: compareDescribed({ sent: 'nothing', expected: 'the id of an entry' }),
  },
  management_input_invalid: {
    title: 'The body of the call is invalid',
    why: '{description}. Nothing was changed.',
    fix: 'Correct the member that the description names. docs/providers/ lists the calls that the sandbox serves.',
    rfc: 'RFC 9110 §15.5.1',
  },
  management_right_missing: {
    title: 'The caller has no right to send this call',
    why: '{description}. It needs one of the rights below.',
    fix: 'Give the user or the service account one of these roles, or send a token of the admin.',
    rfc: 'RFC 6750 §3.1',
    compare: compareDescribed({ sent: 'no rights', expected: 'one of the rights' }),
  },
} satisfies ReasonEntries;
