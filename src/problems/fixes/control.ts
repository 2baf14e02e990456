import type { Reason } from '../../oauth/errors.ts';
import type { Fix } from './fix.ts';

/** Refusals of the control API. */
export const controlFixes = {
  control_busy: {
    fix: 'End streams and waits that nobody reads any more, or read one stream in several places.',
    rfc: 'RFC 9110 §15.6.4',
  },
  control_entry_taken: {
    fix: 'Choose another, leave the id of an issuer out, or change what is there: PUT makes or replaces a client or a user.',
    rfc: 'RFC 9110 §15.5.10',
  },
  control_entry_unknown: {
    fix: 'List what is there first: the same path without its last part does that with GET.',
    rfc: 'RFC 9110 §15.5.5',
  },
  control_input_invalid: {
    fix: 'Correct each member that errors names in the answer. What every operation takes is in /_sandbox/openapi.json.',
    rfc: 'RFC 9457 §3',
  },
  fault_header_invalid: {
    fix: 'Correct the header. Every fault and its parameters are in /_sandbox/faults/catalogue; parameters are seconds, error, member, token and status.',
    rfc: 'RFC 9110 §5.6.6',
  },
  control_token_missing: {
    fix: 'Send Authorization: Bearer with the value of CONTROL_TOKEN, or start the sandbox without CONTROL_TOKEN.',
    rfc: 'RFC 6750 §2.1',
  },
  control_token_wrong: {
    fix: 'Send the value that CONTROL_TOKEN had when the sandbox started.',
    rfc: 'RFC 6750 §3.1',
  },
} as const satisfies Partial<Record<Reason, Fix>>;
