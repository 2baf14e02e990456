import type { EventOf } from '../../../base/events/event.ts';
import { type Case, named, sentHeader, shown } from '../case.ts';
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

/** Refused authorization codes (RFC 6749 §4.1.2). */
export const codeEntries = {
  code_expired_or_unknown: {
    title: refused => (isUnknown(refused) ? 'The code is unknown' : `The code of ${named(refused.who)} had expired`),
    why: refused => {
      const times = timesOf(refused);
      if (times === undefined) return unknownWords(refused);
      return `The code was ${span(times.age)} old, and codes expire after ${span(times.limit)}. It was issued in \`${times.requestId}\`. Then a breakpoint, a slow start or a page that waits for a click delayed the app.`;
    },
    fix: 'Start the sign-in again. A code is valid for 60 seconds, and a restart removes all codes.',
    rfc: 'RFC 6749 §4.1.2',
    certainty: refused => (isUnknown(refused) ? 'likely' : 'certain'),
    others: [
      'The sandbox restarted after the sign-in, which removes all codes.',
      'The code was cut or decoded twice. The app must send it unchanged.',
      'A different server issued the code.',
    ],
    compare: refused => {
      const times = timesOf(refused);
      return times === undefined
        ? compareWords(
            `a code with ${refused.parameters.get('code')?.length ?? 0} characters`,
            'a code that this server issued',
          )
        : compareWords(`a code that is ${span(times.age)} old`, `a code that is at most ${span(times.limit)} old`);
    },
    fixes: refused => {
      const times = timesOf(refused);
      return times === undefined ? [] : [setting('Give codes a longer lifetime for debugging', 'CODE_LIFETIME', '600')];
    },
    insteadOfFix: 'Start the sign-in again, and redeem the code at once.',
  },
  code_of_another_client: {
    title: '{client} sent a code that was issued to a different client',
    why: refused => {
      const owner = issuedCode(refused.known, refused.parameters.get('code'))?.client_id;
      return `A code is valid only for the client that started the sign-in${owner === undefined ? '' : `, which was \`${shown(owner, 80)}\``}. Front end and back end of one app must use the same client_id.`;
    },
    fix: 'Redeem a code with the client_id that requested it.',
    rfc: 'RFC 6749 §4.1.3',
    reported: 'The code of a different client was redeemed',
    compare: ({ known, parameters, error, who }) =>
      compareText(
        error.sent ?? who,
        [error.expected ?? issuedCode(known, parameters.get('code'))?.client_id ?? 'the client of the sign-in'],
        {
          sentLabel: 'Redeemed by',
          expectedLabel: 'Issued to',
        },
      ),
  },
  code_replayed: {
    title: refused => {
      const gap = gapOf(refused);
      return `The code of ${named(refused.who)} was used twice${gap === undefined ? '' : `, ${span(gap)} apart`}`;
    },
    why: replayWords,
    fix: 'Redeem each code once. React runs effects twice in development: guard the callback, then remove the code from the address.',
    rfc: 'RFC 6749 §4.1.2',
    certainty: 'likely',
    others: [
      'The callback page was reloaded, or opened in a second tab.',
      'A proxy or an HTTP client repeated the request after a timeout.',
    ],
    compare: refused => {
      const first = firstUse(refused);
      const by = agentOf(refused.request);
      const sent = `used again in ${refused.error.requestId}${by === undefined ? '' : ` by ${by}`}`;
      if (first === undefined) return compareWords(sent, 'one use');
      const other = agentOf(exchangeOf(refused.known, first.requestId));
      return compareWords(sent, `used before in ${first.requestId}${other === undefined ? '' : ` by ${other}`}`, {
        sentLabel: 'This request',
        expectedLabel: 'First request',
      });
    },
    fixes: () => [advice('Redeem the code once: guard the callback, then remove the code from the address.', once)],
    note: {
      title: 'Why the tokens are revoked',
      text: 'A code that is used twice may be stolen, so the tokens of the first use are revoked, too. Sign in again.',
    },
    references: ['RFC 6749 §10.5', 'RFC 9700 §2.1.1'],
  },
  authorization_revoked: {
    title: 'The sign-in of {client} was revoked',
    why: revokedWords,
    fix: 'Sign in again. All tokens of that sign-in were revoked, usually because a code or a refresh token was used twice.',
    rfc: 'RFC 6749 §5.2',
    compare: ({ error }) =>
      compareWords(`a ${error.sent ?? 'code or token'} of a revoked sign-in`, 'one that is still valid'),
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

/** The description says so even after the history has dropped the code. */
function isExpired({ error }: Case): boolean {
  return error.description.startsWith('the code expired');
}

function unknownWords(refused: Case): string {
  const { parameters, known, error } = refused;
  if (isExpired(refused)) return `${error.description}.`;
  const code = parameters.get('code') ?? '';
  const newest = known.events.latest('code.issued', 1)[0];
  if (newest !== undefined && code !== '' && newest.token.startsWith(code))
    return 'The app sent only the beginning of a code. Something cut it.';
  if (newest !== undefined && decodeURIComponent(newest.token) === code) return 'The code was percent-decoded twice.';
  return 'The history of this sandbox has no such code.';
}

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
    return 'A code works only once. The first use is no longer in the history.';
  const before = exchangeOf(refused.known, first.requestId);
  const same = agentOf(before) === agentOf(refused.request) && before?.exchange.ip === refused.request?.exchange.ip;
  const who = same ? 'The same program used it' : 'A different program used it';
  const when = `A code works only once. ${who} ${span(gap)} before, in \`${first.requestId}\`.`;
  if (gap >= soon || !same) return when;
  const react = isBrowser(refused)
    ? ' React runs effects twice in development (StrictMode), so the callback sends the request twice.'
    : ' The callback ran twice. Look for a retry, or a handler that is registered twice.';
  return when + react;
}

function isBrowser(refused: Case): boolean {
  return sentHeader(refused, 'origin') !== undefined || /Mozilla/.test(sentHeader(refused, 'user-agent') ?? '');
}

const revokedBy: Readonly<Record<EventOf<'token.revoked'>['reason'], string>> = {
  code_replayed: 'because its code was used twice',
  refresh_token_reused: 'because a refresh token was used twice',
  revoked_by_client: 'by the client itself, at the revocation endpoint',
  revoked_by_owner: 'in this dashboard',
  session_ended: 'because the user signed out',
};

function revokedWords({ known, parameters, error }: Case): string {
  const grown = issuedCode(known, parameters.get('code')) ?? issuedToken(known, parameters.get('refresh_token'));
  const revoked = grown === undefined ? undefined : revocationOf(known, grown.authorizationId);
  if (revoked === undefined) return `All tokens of one sign-in are revoked together: ${error.description}.`;
  const when = span(Math.max(0, error.at - revoked.at));
  return `All tokens of one sign-in are revoked together. This sign-in was revoked ${when} before (\`${revoked.requestId}\`), ${revokedBy[revoked.reason]}.`;
}
