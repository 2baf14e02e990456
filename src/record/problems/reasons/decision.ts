import type { Case } from '../case.ts';
import { compareDescribed, compareWords } from '../compare.ts';
import type { Account, ReasonEntries } from '../entry.ts';
import { span } from '../history.ts';
import { advice, setting } from '../remedies.ts';
import { inApp } from '../source-text.ts';

const code = { what: 'device code', endpoint: 'the device authorization endpoint', name: 'device_code' };
const request = { what: 'auth_req_id', endpoint: 'the backchannel authentication endpoint', name: 'auth_req_id' };
type Kind = typeof code;

function expired({ what, endpoint }: Kind): Account {
  return {
    title: `The ${what} has expired`,
    why: ({ error }) => `Nobody decided in time: ${error.description}. The client must start again at ${endpoint}.`,
    compare: ({ error }) => compareWords(error.description, `a valid ${what}`),
    fixes: () => [setting('Give users more time', 'DEVICE_CODE_LIFETIME', '1800')],
  };
}

function ofAnotherClient({ what, endpoint }: Kind): Account {
  return {
    title: `{client} polls with the ${what} of a different client`,
    why: `The ${what} is valid only for the client that requested it from ${endpoint}.`,
    compare: ({ who }) => compareWords(who, 'the client it was issued to', { sentLabel: 'Polled by' }),
  };
}

function unknown({ what, name, endpoint }: Kind): Account {
  return {
    title: `The ${what} is unknown`,
    why: refused => {
      const sent = refused.parameters.get(name) ?? '';
      if (/^[A-Za-z]{4}-?[A-Za-z]{4}$/.test(sent))
        return 'The app sent the user_code, which the user types. The device polls with the device_code.';
      return `No such ${what} from ${endpoint} is in the history of this sandbox.`;
    },
    certainty: refused =>
      /^[A-Za-z]{4}-?[A-Za-z]{4}$/.test(refused.parameters.get(name) ?? '') ? 'certain' : 'likely',
    others: [
      'The sandbox restarted, which removes all of them.',
      'The value expired more than an hour ago.',
      'The value was cut.',
    ],
    compare: ({ parameters }) =>
      compareWords(`${parameters.get(name)?.length ?? 0} characters`, `the ${name} from ${endpoint}`),
  };
}

function used({ what }: Kind): Account {
  return {
    title: `The ${what} was used before`,
    why: 'The client already has the tokens. It did not stop polling, or two of its loops poll.',
    compare: () => compareWords('a poll after the tokens were issued', 'no poll after that'),
  };
}

/** Requests that a user decides on a different device (RFC 8628, OIDC CIBA). */
export const decisionEntries = {
  device_code_expired: {
    ...expired(code),
    fix: 'Request a new code from the device authorization endpoint and show it. Nobody decided in time.',
    rfc: 'RFC 8628 §3.5',
  },
  device_code_of_another_client: {
    ...ofAnotherClient(code),
    fix: 'Poll with the client_id that requested the code.',
    rfc: 'RFC 8628 §3.4',
  },
  device_code_unknown: {
    ...unknown(code),
    fix: 'Send the device_code unchanged, not the user_code. A restart of the sandbox removes all codes.',
    rfc: 'RFC 8628 §3.4',
  },
  device_code_used: {
    ...used(code),
    fix: 'Stop polling once a response has tokens, and store them. They were issued already.',
    rfc: 'RFC 8628 §3.5',
  },
  auth_req_id_expired: {
    ...expired(request),
    fix: 'Start again at the backchannel authentication endpoint. Nobody decided in time; requested_expiry asks for more.',
    rfc: 'OIDC CIBA §11',
  },
  auth_req_id_of_another_client: {
    ...ofAnotherClient(request),
    fix: 'Poll with the client that made the backchannel authentication request.',
    rfc: 'OIDC CIBA §11',
  },
  auth_req_id_unknown: {
    ...unknown(request),
    fix: 'Send the auth_req_id of the backchannel authentication endpoint unchanged. A restart of the sandbox removes all of them.',
    rfc: 'OIDC CIBA §11',
  },
  auth_req_id_used: {
    ...used(request),
    fix: 'Stop polling once a response has tokens, and store them. They were issued already.',
    rfc: 'OIDC CIBA §10.1.1',
  },
  authorization_pending: {
    title: 'The user has not decided yet',
    why: 'The protocol uses this response to say: poll again later. It is part of every such sign-in.',
    fix: 'Wait for the interval, then poll again. Nothing to fix: the user has not decided yet.',
    rfc: 'RFC 8628 §3.5',
  },
  polled_too_fast: {
    title: '{client} polls too often',
    why: refused => {
      const gaps = gapsBetween(refused);
      const seen = gaps.length > 1 ? ` The last polls were ${gaps.map(span).join(', ')} apart.` : '';
      return `The client must wait for the interval of the first response between two polls, and five seconds more after each slow_down.${seen}`;
    },
    fix: 'Wait for the interval between two polls, and for 5 s more after each slow_down. Look for two loops that poll at once.',
    rfc: 'RFC 8628 §3.5',
    compare: compareDescribed({ sentLabel: 'Your app polled' }),
    fixes: () => [
      advice(
        'Wait between two polls, and wait longer after slow_down.',
        inApp(
          "if (body.error === 'slow_down') interval += 5;\nawait new Promise(resolve => setTimeout(resolve, interval * 1000));",
        ),
      ),
      setting('Or allow faster polling', 'POLL_INTERVAL', '1'),
    ],
  },
  binding_message_invalid: {
    title: 'The binding_message is not displayable',
    why: 'The user compares the message on two screens, so it must be short and fully visible.',
    fix: 'Send a short code that fits on two small screens, without line breaks or invisible characters.',
    rfc: 'OIDC CIBA §7.1',
  },
  hint_count_wrong: {
    title: 'The request must have exactly one hint for the user',
    why: 'The server must know which user to ask. Without a hint it knows nobody, and two hints may name two users.',
    fix: 'Send one hint: login_hint with a sub, username or e-mail address, or id_token_hint.',
    rfc: 'OIDC CIBA §7.1',
  },
  user_code_expired: {
    title: 'The user code `{sent}` has expired',
    why: 'Nobody approved or denied the code in time. The device shows a new code when it starts again.',
    fix: 'Start again on the device, which shows a new code. DEVICE_CODE_LIFETIME gives more time.',
    rfc: 'RFC 8628 §3.2',
    compare: ({ error }) => compareWords(error.sent ?? '', 'a valid code', { sentLabel: 'Typed' }),
    fixes: () => [setting('Give users more time', 'DEVICE_CODE_LIFETIME', '1800')],
  },
  user_code_guessed_too_often: {
    title: 'Too many wrong user codes in one session',
    why: 'A user code is short, because somebody types it. So the server blocks guessing.',
    fix: 'Wait for the seconds in Retry-After, then type the code that the device shows.',
    rfc: 'RFC 8628 §5.1',
  },
  user_code_unknown: {
    title: 'No device is waiting for the code `{sent}`',
    why: 'A user code has eight letters without vowels. Case and dash do not matter. This code is mistyped, or from before the last start.',
    fix: 'Type the eight letters that the device shows. They have no vowels, and dash and case do not matter.',
    rfc: 'RFC 8628 §6.1',
    certainty: 'likely',
    others: ['The device uses a different server.'],
    compare: ({ error }) =>
      compareWords(error.sent ?? '', 'the eight letters that the device shows', { sentLabel: 'Typed' }),
  },
  user_code_used: {
    title: 'The user code `{sent}` was used already',
    why: 'A user code works only once, and somebody has approved or denied this one.',
    fix: 'Start again on the device to get a new code.',
    rfc: 'RFC 8628 §3.3',
    compare: ({ error }) => compareWords(error.sent ?? '', 'a new code', { sentLabel: 'Typed' }),
  },
} as const satisfies ReasonEntries;

const mostGaps = 4;

/** Returns the seconds between the last polls of the same client, oldest first. */
function gapsBetween({ known, error }: Case): readonly number[] {
  const polls = known.events
    .latest('error.returned', 200, error.id + 1)
    .filter(
      each => each.client_id === error.client_id && ['authorization_pending', 'polled_too_fast'].includes(each.reason),
    )
    .slice(0, mostGaps)
    .map(({ at }) => at)
    .reverse();
  return polls.slice(1).map((at, index) => at - (polls[index] ?? at));
}
