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
    why: ({ error }) => `Nobody decided in time: ${error.description}. The client has to begin again at ${endpoint}.`,
    compare: ({ error }) => compareWords(error.description, `a ${what} that is in its time`),
    fixes: () => [setting('Give users more time', 'DEVICE_CODE_LIFETIME', '1800')],
  };
}

function ofAnotherClient({ what, endpoint }: Kind): Account {
  return {
    title: `{client} polls with the ${what} of another client`,
    why: `It is good only for the client that asked ${endpoint}.`,
    compare: ({ who }) => compareWords(who, 'the client it was issued to', { sentLabel: 'Polled by' }),
  };
}

function unknown({ what, name, endpoint }: Kind): Account {
  return {
    title: `The ${what} is not known here`,
    why: refused => {
      const sent = refused.parameters.get(name) ?? '';
      if (/^[A-Za-z]{4}-?[A-Za-z]{4}$/.test(sent))
        return 'This is the user_code, which the user types. The device polls with the device_code, which nobody sees.';
      return `No ${what} like this was given by ${endpoint} since the start of this sandbox, as far as it remembers.`;
    },
    certainty: refused =>
      /^[A-Za-z]{4}-?[A-Za-z]{4}$/.test(refused.parameters.get(name) ?? '') ? 'certain' : 'likely',
    others: [
      'The sandbox was started again: none survives that.',
      'It expired more than an hour ago.',
      'It was cut on its way.',
    ],
    compare: ({ parameters }) =>
      compareWords(`${parameters.get(name)?.length ?? 0} characters`, `the ${name} of the answer of ${endpoint}`),
  };
}

function used({ what }: Kind): Account {
  return {
    title: `The ${what} was used before`,
    why: 'It gives tokens once. The client went on polling after it had got them, or two of its loops poll.',
    compare: () => compareWords('another poll after the tokens were given', 'no poll after that'),
  };
}

/** What users decide about on another screen (RFC 8628, OIDC CIBA). */
export const decisionEntries = {
  device_code_expired: {
    ...expired(code),
    fix: 'Nobody decided in time. Ask the device authorization endpoint for a new code and show it.',
    rfc: 'RFC 8628 §3.5',
  },
  device_code_of_another_client: {
    ...ofAnotherClient(code),
    fix: 'Poll with the client_id that asked the device authorization endpoint.',
    rfc: 'RFC 8628 §3.4',
  },
  device_code_unknown: {
    ...unknown(code),
    fix: 'Send the device_code, not the user_code, exactly as it was given. A restart of the sandbox forgets it.',
    rfc: 'RFC 8628 §3.4',
  },
  device_code_used: {
    ...used(code),
    fix: 'The tokens were given already: keep them, and stop polling once an answer has tokens in it.',
    rfc: 'RFC 8628 §3.5',
  },
  auth_req_id_expired: {
    ...expired(request),
    fix: 'Nobody decided in time. Start again at the backchannel authentication endpoint; requested_expiry asks for more time.',
    rfc: 'OIDC CIBA §11',
  },
  auth_req_id_of_another_client: {
    ...ofAnotherClient(request),
    fix: 'Poll with the client that made the backchannel authentication request.',
    rfc: 'OIDC CIBA §11',
  },
  auth_req_id_unknown: {
    ...unknown(request),
    fix: 'Send the auth_req_id exactly as the backchannel authentication endpoint gave it. A restart of the sandbox forgets it.',
    rfc: 'OIDC CIBA §11',
  },
  auth_req_id_used: {
    ...used(request),
    fix: 'The tokens were given already: keep them, and stop polling once an answer has tokens in it.',
    rfc: 'OIDC CIBA §10.1.1',
  },
  authorization_pending: {
    title: 'The user has not decided yet',
    why: 'This is how the protocol says: ask again later. It is part of every such login.',
    fix: 'Nothing to repair: the user has not decided yet. Wait for the interval, then ask again.',
    rfc: 'RFC 8628 §3.5',
  },
  polled_too_fast: {
    title: '{client} polls too often',
    why: refused => {
      const gaps = gapsBetween(refused);
      const seen = gaps.length > 1 ? ` The last ones came ${gaps.map(span).join(', ')} apart.` : '';
      return `Between two polls has to be the interval that the first answer named, and five seconds more after each slow_down.${seen}`;
    },
    fix: 'Wait for the interval between two polls, and for 5 s more after each slow_down. Look for two loops that poll at once.',
    rfc: 'RFC 8628 §3.5',
    compare: compareDescribed({ sentLabel: 'Your app polled' }),
    fixes: () => [
      advice(
        'Wait between two polls, and longer after slow_down.',
        inApp(
          "if (body.error === 'slow_down') interval += 5;\nawait new Promise(resolve => setTimeout(resolve, interval * 1000));",
        ),
      ),
      setting('Or ask for less patience here', 'POLL_INTERVAL', '1'),
    ],
  },
  binding_message_invalid: {
    title: 'The binding_message cannot be shown',
    why: 'The user compares it on two screens, so it has to be short, and nothing in it may be invisible.',
    fix: 'Send a short code that fits on two small screens, without line breaks or invisible characters.',
    rfc: 'OIDC CIBA §7.1',
  },
  hint_count_wrong: {
    title: 'Not exactly one hint says who the user is',
    why: 'Whom to ask has to be clear: without a hint it is nobody, and two hints may name two people.',
    fix: 'Say who the user is in one way: login_hint with a sub, username or e-mail address, or id_token_hint.',
    rfc: 'OIDC CIBA §7.1',
  },
  user_code_expired: {
    title: 'The user code {sent} has expired',
    why: 'Nobody decided about it in time. The device shows a new one when it starts again.',
    fix: 'Start again on the device: it shows a new code. DEVICE_CODE_LIFETIME gives more time.',
    rfc: 'RFC 8628 §3.2',
    compare: ({ error }) => compareWords(error.sent ?? '', 'a code that is in its time', { sentLabel: 'Typed' }),
    fixes: () => [setting('Give users more time', 'DEVICE_CODE_LIFETIME', '1800')],
  },
  user_code_guessed_too_often: {
    title: 'Too many wrong user codes in one session',
    why: 'The code is short, because somebody has to type it. So whoever tries codes out is stopped.',
    fix: 'Wait as long as Retry-After says, then type the code that the device shows.',
    rfc: 'RFC 8628 §5.1',
  },
  user_code_unknown: {
    title: 'No device waits under the code {sent}',
    why: 'The code has eight letters without vowels; case and dash do not count. This one is mistyped, or from before the last start.',
    fix: 'Type the eight letters that the device shows; they have no vowels, and dash and case do not count.',
    rfc: 'RFC 8628 §6.1',
    certainty: 'likely',
    others: ['The device asked another server.'],
    compare: ({ error }) =>
      compareWords(error.sent ?? '', 'the eight letters that the device shows', { sentLabel: 'Typed' }),
  },
  user_code_used: {
    title: 'Somebody has decided about the code {sent} already',
    why: 'A code is good for one decision.',
    fix: 'Somebody has decided about this code already. Start again on the device for another one.',
    rfc: 'RFC 8628 §3.3',
    compare: ({ error }) => compareWords(error.sent ?? '', 'a code nobody has decided about', { sentLabel: 'Typed' }),
  },
} as const satisfies ReasonEntries;

const mostGaps = 4;

/** Seconds between the last polls of the same client, oldest first. */
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
