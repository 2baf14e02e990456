import { compareDescribed } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';

export const controlEntries = {
  control_busy: {
    title: 'Too many callers are waiting for events',
    why: ({ error }) =>
      `${error.description}. Each waiting caller holds a connection, so the limit is ${error.expected ?? 'low'}.`,
    fix: 'End unused streams and waits, or share one stream.',
    rfc: 'RFC 9110 §15.6.4',
  },
  control_entry_taken: {
    title: 'The entry exists already',
    why: '{description}. The value must be unique. Nothing was changed.',
    fix: 'Choose a different value, leave the id of an issuer out, or replace the existing client or user with PUT.',
    rfc: 'RFC 9110 §15.5.10',
  },
  control_entry_unknown: {
    title: 'The entry does not exist',
    why: '{description}. Names are compared character by character.',
    fix: 'List the existing entries with GET on the same path without its last part.',
    rfc: 'RFC 9110 §15.5.5',
    compare: compareDescribed({ sent: 'nothing', expected: 'a known name' }),
  },
  control_input_invalid: {
    title: 'The input of the control API is invalid',
    why: '{description}. Nothing was changed.',
    fix: 'Correct each member that errors in the response names. /_sandbox/openapi.json describes the input of every operation.',
    rfc: 'RFC 9457 §3',
    compare: compareDescribed({ sent: 'nothing', expected: 'a valid value' }),
  },
  fault_header_invalid: {
    title: 'The Sandbox-Fault header is invalid',
    why: 'The server refuses an invalid `Sandbox-Fault` header, so that no test passes because of a typo.',
    fix: 'Correct the header. /_sandbox/faults/catalogue lists every fault with its parameters: seconds, error, member, token and status.',
    rfc: 'RFC 9110 §5.6.6',
    compare: compareDescribed({ sent: 'nothing', expected: 'a valid value' }),
  },
  control_token_missing: {
    title: 'The request has no CONTROL_TOKEN',
    why: 'The sandbox was started with CONTROL_TOKEN, so its control API and dashboard require the token.',
    fix: 'Send Authorization: Bearer with the value of CONTROL_TOKEN, or start the sandbox without CONTROL_TOKEN.',
    rfc: 'RFC 6750 §2.1',
  },
  control_token_wrong: {
    title: 'The CONTROL_TOKEN is wrong',
    why: 'The sandbox was started with a different CONTROL_TOKEN. The sent token is neither shown nor stored.',
    fix: 'Send the value that CONTROL_TOKEN had when the sandbox started.',
    rfc: 'RFC 6750 §3.1',
  },
  management_entry_taken: {
    title: 'The entry exists already',
    why: '{description}. The name must be unique. Nothing was changed.',
    fix: 'Choose a different name, or change the existing entry with PUT.',
    rfc: 'RFC 9110 §15.5.10',
  },
  management_entry_unknown: {
    title: 'The entry does not exist',
    why: '{description}. The path of the call names an entry by its id, or by its name.',
    fix: 'List the entries first, and take the id from the response.',
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
