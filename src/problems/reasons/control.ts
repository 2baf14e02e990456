import { compareDescribed } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';

/** Refusals of the control API. */
export const controlEntries = {
  control_busy: {
    title: 'Too many callers wait for events',
    why: ({ error }) => `${error.description}: each holds a connection, so there are ${error.expected ?? 'not many'}.`,
    fix: 'End streams and waits that nobody reads any more, or read one stream in several places.',
    rfc: 'RFC 9110 §15.6.4',
  },
  control_entry_taken: {
    title: 'The control API was asked to make what is there already',
    why: '{description}: no two may share it. Nothing was changed.',
    fix: 'Choose another, leave the id of an issuer out, or change what is there: PUT makes or replaces a client or a user.',
    rfc: 'RFC 9110 §15.5.10',
  },
  control_entry_unknown: {
    title: 'The control API was asked for something that is not there',
    why: '{description}. Names are compared letter by letter.',
    fix: 'List what is there first: the same path without its last part does that with GET.',
    rfc: 'RFC 9110 §15.5.5',
    compare: compareDescribed({ sent: 'nothing', expected: 'a known name' }),
  },
  control_input_invalid: {
    title: 'The control API was sent something it does not take',
    why: '{description}. Nothing was changed: what is only half understood is not done.',
    fix: 'Correct each member that errors names in the answer. What every operation takes is in /_sandbox/openapi.json.',
    rfc: 'RFC 9457 §3',
    compare: compareDescribed({ sent: 'nothing', expected: 'something else' }),
  },
  fault_header_invalid: {
    title: 'A request asked for a fault that cannot be',
    why: 'What the header Sandbox-Fault says has to be understood as a whole: a test must not pass because of a slip of the pen.',
    fix: 'Correct the header. Every fault and its parameters are in /_sandbox/faults/catalogue; parameters are seconds, error, member, token and status.',
    rfc: 'RFC 9110 §5.6.6',
    compare: compareDescribed({ sent: 'nothing', expected: 'something else' }),
  },
  control_token_missing: {
    title: 'The control API asks for CONTROL_TOKEN',
    why: 'The sandbox was started with CONTROL_TOKEN, so that only those who know it can change or read it.',
    fix: 'Send Authorization: Bearer with the value of CONTROL_TOKEN, or start the sandbox without CONTROL_TOKEN.',
    rfc: 'RFC 6750 §2.1',
  },
  control_token_wrong: {
    title: 'The control API or the dashboard was sent another token than CONTROL_TOKEN',
    why: 'A token came, but not the one the sandbox was started with. It is not shown here, nor kept.',
    fix: 'Send the value that CONTROL_TOKEN had when the sandbox started.',
    rfc: 'RFC 6750 §3.1',
  },
} satisfies ReasonEntries;
