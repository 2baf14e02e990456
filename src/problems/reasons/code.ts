import type { EventOf } from '../../events/event.ts';
import { type Case, sentHeader, shown } from '../case.ts';
import { compareText, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { agentOf, exchangeOf, givenFor, issuedCode, issuedToken, revocationOf, span } from '../history.ts';
import { advice, setting } from '../remedies.ts';
import { inApp } from '../source-text.ts';

const once = inApp(
  [
    'let redeeming; // outside the component: React runs effects twice in development',
    'redeeming ??= userManager.signinRedirectCallback();',
    'const user = await redeeming;',
    "history.replaceState({}, '', location.pathname); // a reload must not send it again",
  ].join('\n'),
);

/** Authorization codes that are not good, or not any more. */
export const codeEntries = {
  code_expired_or_unknown: {
    title: refused => (isUnknown(refused) ? 'The code is not known here' : `The code of ${refused.who} had expired`),
    why: refused => {
      const times = timesOf(refused);
      if (times === undefined) return unknownWords(refused);
      return `The code was ${span(times.age)} old, and codes live ${span(times.limit)}. It was issued in ${times.requestId}; something stopped the app in between: a breakpoint, a slow start, a page that waited for a click.`;
    },
    fix: 'Start the login again. A code lives 60 seconds, and none survives a restart.',
    rfc: 'RFC 6749 §4.1.2',
    certainty: refused => (isUnknown(refused) ? 'likely' : 'certain'),
    others: [
      'The sandbox was started again since the login: no code survives that.',
      'The code was cut, or decoded twice, on its way: it must be sent as it came.',
      'The code was issued by another server.',
    ],
    compare: refused => {
      const times = timesOf(refused);
      return times === undefined
        ? compareWords(
            `a code of ${refused.parameters.get('code')?.length ?? 0} characters`,
            'a code that was issued here',
          )
        : compareWords(`a code that is ${span(times.age)} old`, `a code of at most ${span(times.limit)}`);
    },
    fixes: refused => {
      const times = timesOf(refused);
      return times === undefined ? [] : [setting('Give codes more time, for a debugger', 'CODE_LIFETIME', '600')];
    },
    insteadOfFix: 'Start the login again, and redeem the code right away.',
  },
  code_of_another_client: {
    title: '{client} sent a code that was issued to another client',
    why: refused => {
      const owner = issuedCode(refused.known, refused.parameters.get('code'))?.client_id;
      return `A code is good only for the client that started the login${owner === undefined ? '' : `, which was ${shown(owner, 80)}`}. Front end and back end of one app must use the same client_id.`;
    },
    fix: 'Redeem a code with the client_id that asked for it.',
    rfc: 'RFC 6749 §4.1.3',
    reported: 'The code of another client was redeemed',
    compare: ({ known, parameters, error, who }) =>
      compareText(
        error.sent ?? who,
        [error.expected ?? issuedCode(known, parameters.get('code'))?.client_id ?? 'the client of the login'],
        {
          sentLabel: 'Redeemed by',
          expectedLabel: 'Issued to',
        },
      ),
  },
  code_replayed: {
    title: refused => {
      const gap = gapOf(refused);
      return `The code of ${refused.who} was used twice${gap === undefined ? '' : `, ${span(gap)} apart`}`;
    },
    why: replayWords,
    fix: 'Redeem each code once. React runs effects twice in development: guard the callback, and take the code out of the address afterwards.',
    rfc: 'RFC 6749 §4.1.2',
    certainty: 'likely',
    others: [
      'The page of the callback was loaded again, or opened in a second tab.',
      'A proxy or an HTTP client sent the request again after a timeout.',
    ],
    compare: refused => {
      const first = firstUse(refused);
      const by = agentOf(refused.request);
      const sent = `used again in ${refused.error.requestId}${by === undefined ? '' : ` by ${by}`}`;
      if (first === undefined) return compareWords(sent, 'one use');
      const other = agentOf(exchangeOf(refused.known, first.requestId));
      return compareWords(sent, `used before in ${first.requestId}${other === undefined ? '' : ` by ${other}`}`, {
        sentLabel: 'This request',
        expectedLabel: 'The first one',
      });
    },
    fixes: () => [
      advice('Redeem the code once: guard the callback, and take the code out of the address afterwards.', once),
    ],
    note: {
      title: 'Why the tokens are revoked',
      text: 'A code that comes twice may have been stolen, so what the first use gave is not good any more. Log in again.',
    },
    references: ['RFC 6749 §10.5', 'RFC 9700 §2.1.1'],
  },
  authorization_revoked: {
    title: 'What {client} was granted has been revoked',
    why: revokedWords,
    fix: 'Log in again: everything from that login was revoked, most often because a code or a refresh token was used twice.',
    rfc: 'RFC 6749 §5.2',
    compare: ({ error }) =>
      compareWords(`a ${error.sent ?? 'code or token'} of a login that is over`, 'one that is still good'),
  },
} as const satisfies ReasonEntries;

function timesOf({ known, error, parameters }: Case) {
  const issued = issuedCode(known, parameters.get('code'));
  if (issued === undefined) return undefined;
  return { age: error.at - issued.at, limit: issued.exp - issued.iat, requestId: issued.requestId };
}

function isUnknown(refused: Case): boolean {
  return timesOf(refused) === undefined && !isExpired(refused);
}

/** Even where the history has forgotten when it was issued. */
function isExpired({ error }: Case): boolean {
  return error.description.startsWith('the code expired');
}

function unknownWords(refused: Case): string {
  const { parameters, known, error } = refused;
  if (isExpired(refused)) return `${error.description}.`;
  const code = parameters.get('code') ?? '';
  const newest = known.events.latest('code.issued', 1)[0];
  if (newest !== undefined && code !== '' && newest.token.startsWith(code))
    return 'Only the beginning of a code came: it was cut on its way.';
  if (newest !== undefined && decodeURIComponent(newest.token) === code)
    return 'The code was decoded once too often on its way.';
  return 'No code like this was issued since the start of this sandbox, as far as it remembers.';
}

/** Who redeemed the code first. */
function firstUse({ known, error, parameters }: Case) {
  const issued = issuedCode(known, parameters.get('code'));
  return issued === undefined ? undefined : givenFor(known, issued).find(({ id }) => id < error.id);
}

function gapOf(refused: Case): number | undefined {
  const first = firstUse(refused);
  return first === undefined ? undefined : refused.error.at - first.at;
}

const soon = 2;

function replayWords(refused: Case): string {
  const gap = gapOf(refused);
  const first = firstUse(refused);
  if (gap === undefined || first === undefined)
    return 'A code gives tokens once. The first use is not in the history any more.';
  const before = exchangeOf(refused.known, first.requestId);
  const same = agentOf(before) === agentOf(refused.request) && before?.exchange.ip === refused.request?.exchange.ip;
  const who = same ? 'The same program sent it' : 'Somebody else sent it';
  const when = `A code gives tokens once. ${who} ${span(gap)} before, in ${first.requestId}.`;
  if (gap >= soon || !same) return when;
  const react = isBrowser(refused)
    ? ' React runs effects twice in development (StrictMode): the callback runs twice, and so does the request.'
    : ' The callback ran twice: look for a retry, or a handler that is registered twice.';
  return when + react;
}

function isBrowser(refused: Case): boolean {
  return sentHeader(refused, 'origin') !== undefined || /Mozilla/.test(sentHeader(refused, 'user-agent') ?? '');
}

const revokedBy: Readonly<Record<EventOf<'token.revoked'>['reason'], string>> = {
  code_replayed: 'because its code was used twice',
  refresh_token_reused: 'because a refresh token was used twice',
  revoked_by_client: 'by the client itself, at the revocation endpoint',
  revoked_by_owner: 'on its page in this dashboard',
  session_ended: 'because the user logged out',
};

function revokedWords({ known, parameters, error }: Case): string {
  const grown = issuedCode(known, parameters.get('code')) ?? issuedToken(known, parameters.get('refresh_token'));
  const revoked = grown === undefined ? undefined : revocationOf(known, grown.authorizationId);
  if (revoked === undefined)
    return `Everything that grew from one login ends together, and this one has ended: ${error.description}.`;
  const when = span(Math.max(0, error.at - revoked.at));
  return `Everything that grew from one login ends together. It was revoked ${when} before (${revoked.requestId}), ${revokedBy[revoked.reason]}.`;
}
