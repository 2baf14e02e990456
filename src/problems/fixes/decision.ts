import type { Reason } from '../../oauth/errors.ts';
import type { Fix } from './fix.ts';

/** Refusals of what a user decides about elsewhere: devices, backchannel authentication; and of the password grant. */
export const decisionFixes = {
  auth_req_id_expired: {
    fix: 'Nobody decided in time. Start again at the backchannel authentication endpoint; requested_expiry asks for more time.',
    rfc: 'OIDC CIBA §11',
  },
  auth_req_id_of_another_client: {
    fix: 'Poll with the client that made the backchannel authentication request.',
    rfc: 'OIDC CIBA §11',
  },
  auth_req_id_unknown: {
    fix: 'Send the auth_req_id exactly as the backchannel authentication endpoint gave it. A restart of the sandbox forgets it.',
    rfc: 'OIDC CIBA §11',
  },
  auth_req_id_used: {
    fix: 'The tokens were given already: keep them, and stop polling once an answer has tokens in it.',
    rfc: 'OIDC CIBA §10.1.1',
  },
  authorization_pending: {
    fix: 'Nothing to repair: the user has not decided yet. Wait for the interval, then ask again.',
    rfc: 'RFC 8628 §3.5',
  },
  binding_message_invalid: {
    fix: 'Send a short code that fits on two small screens, without line breaks or invisible characters.',
    rfc: 'OIDC CIBA §7.1',
  },
  client_must_be_confidential: {
    fix: 'Give the client a secret or a key, and let it authenticate: a public client cannot use this grant.',
    rfc: 'OIDC CIBA §4',
  },
  device_code_expired: {
    fix: 'Nobody decided in time. Ask the device authorization endpoint for a new code and show it.',
    rfc: 'RFC 8628 §3.5',
  },
  device_code_of_another_client: {
    fix: 'Poll with the client_id that asked the device authorization endpoint.',
    rfc: 'RFC 8628 §3.4',
  },
  device_code_unknown: {
    fix: 'Send the device_code, not the user_code, exactly as it was given. A restart of the sandbox forgets it.',
    rfc: 'RFC 8628 §3.4',
  },
  device_code_used: {
    fix: 'The tokens were given already: keep them, and stop polling once an answer has tokens in it.',
    rfc: 'RFC 8628 §3.5',
  },
  hint_count_wrong: {
    fix: 'Say who the user is in one way: login_hint with a sub, username or e-mail address, or id_token_hint.',
    rfc: 'OIDC CIBA §7.1',
  },
  password_guessed_too_often: {
    fix: 'Wait as long as Retry-After says, then send the right password. Users without a configured one take any.',
    rfc: 'RFC 6749 §4.3.2',
  },
  polled_too_fast: {
    fix: 'Wait for the interval between two polls, and for 5 s more after each slow_down. Look for two loops that poll at once.',
    rfc: 'RFC 8628 §3.5',
  },
  request_object_replayed: {
    fix: 'Sign a new request with a new jti each time.',
    rfc: 'OIDC CIBA §7.1.1',
  },
  user_code_expired: {
    fix: 'Start again on the device: it shows a new code. DEVICE_CODE_LIFETIME gives more time.',
    rfc: 'RFC 8628 §3.2',
  },
  user_code_guessed_too_often: {
    fix: 'Wait as long as Retry-After says, then type the code that the device shows.',
    rfc: 'RFC 8628 §5.1',
  },
  user_code_unknown: {
    fix: 'Type the eight letters that the device shows; they have no vowels, and dash and case do not count.',
    rfc: 'RFC 8628 §6.1',
  },
  user_code_used: {
    fix: 'Somebody has decided about this code already. Start again on the device for another one.',
    rfc: 'RFC 8628 §3.3',
  },
} as const satisfies Partial<Record<Reason, Fix>>;
