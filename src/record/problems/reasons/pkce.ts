import { hash } from 'node:crypto';
import { s256 } from '../../../protocol/requests/pkce.ts';
import { type Case, named, percentDecoded } from '../case.ts';
import { compareSentAndExpected, compareText, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { loginParameter, loginWithChallenge, span } from '../history.ts';
import type { Comparison, ProposedFix } from '../problem.ts';
import { advice, isOurs, patchClient } from '../remedies.ts';
import { inApp } from '../source-text.ts';
import { marked, plain } from '../url-difference.ts';

const library = inApp(
  [
    "// oidc-client-ts, openid-client: on by default for response_type: 'code'",
    "// Auth.js: checks: ['pkce', 'state']",
    '// Spring Security: OAuth2AuthorizationRequestCustomizers.withPkce()',
    '// AppAuth: on by default; do not call setCodeVerifier(null)',
  ].join('\n'),
);

const byHand = inApp(
  [
    'const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));',
    "const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));",
    'const challenge = base64url(new Uint8Array(hash)); // no padding, - and _ for + and /',
  ].join('\n'),
);

const guard = inApp(
  [
    "sessionStorage.setItem('verifier:' + state, verifier); // one entry for each sign-in",
    '// in the callback',
    "const verifier = sessionStorage.getItem('verifier:' + state);",
  ].join('\n'),
);

/** Proof key for code exchange (RFC 7636). */
export const pkceEntries = {
  pkce_missing: {
    title: ({ error, who, parameters }) => {
      if (error.endpoint !== 'token') return `${named(who)} must use PKCE, and the request has no code_challenge`;
      return `The code_verifier of ${named(who)} is ${parameters.has('code_verifier') ? 'empty' : 'missing'}`;
    },
    why: refused => {
      if (refused.error.endpoint === 'token')
        return `The sign-in was started with a code_challenge, so only the app that has the code_verifier may redeem the code. ${pkceCause(refused).why}`;
      return 'Without PKCE, anybody who obtains the code can redeem it. A public client has no secret that would stop them.';
    },
    fix: 'Use PKCE: make a verifier, send code_challenge and code_challenge_method=S256 with the sign-in, and code_verifier with the code. Every current library has it built in.',
    rfc: 'RFC 7636 §4.4.1',
    reported: 'A sign-in did not use PKCE',
    compare: refused => (refused.error.endpoint === 'token' ? compareHashes(refused, '') : undefined),
    fixes: refused =>
      refused.error.endpoint === 'token'
        ? [advice('Store one verifier for each sign-in, under its state.', guard)]
        : startWithPkce(refused),
    references: ['RFC 7636 §4.6', 'RFC 9700 §2.1.1'],
  },
  pkce_method_unsupported: {
    title: 'The code_challenge_method is not S256',
    why: 'With `plain`, or without a method, the challenge is the verifier itself, so anybody who reads the address can redeem the code. This server accepts only `S256`.',
    fix: 'Send code_challenge_method=S256 and the base64url of the SHA-256 of the verifier.',
    rfc: 'RFC 7636 §4.3',
    reported: 'A sign-in used PKCE without S256',
    compare: ({ error }) => compareText(error.sent ?? '', ['S256']),
    fixes: () => [advice('Switch the library to S256, or compute the challenge yourself.', byHand)],
    references: ['RFC 7636 §4.2', 'RFC 9700 §2.1.1'],
  },
  pkce_mismatch: {
    title: refused => `The code_verifier ${pkceCause(refused).short}`,
    why: refused => pkceCause(refused).why,
    fix: 'Send the code_verifier of this sign-in. Two tabs or a double start overwrite a verifier that is stored under one name.',
    rfc: 'RFC 7636 §4.6',
    certainty: refused => (pkceCause(refused).isCertain ? 'certain' : 'likely'),
    others: [
      'The sign-in started on one origin and came back to a different one. localhost and 127.0.0.1 have separate storage.',
      'The app makes a new verifier when the callback page loads.',
      'Different code made the challenge and the verifier.',
    ],
    compare: refused => {
      const verifier = refused.parameters.get('code_verifier');
      return verifier === undefined ? compareSentAndExpected(refused) : compareHashes(refused, verifier);
    },
    fixes: refused =>
      pkceCause(refused).isMadeWrongly === true
        ? [advice('Write the verifier in base64url.', byHand)]
        : [advice('Store one verifier for each sign-in, under its state.', guard)],
  },
  pkce_unexpected: {
    title: '{client} sent a code_verifier, but its sign-in had no code_challenge',
    why: 'A verifier without a challenge proves nothing. If the server accepted it, an attacker could remove the challenge from the sign-in unnoticed.',
    fix: 'Send code_challenge when the sign-in starts, or leave code_verifier out.',
    rfc: 'RFC 9700 §2.1.1',
    reported: 'A code_verifier was sent for a sign-in without a code_challenge',
    compare: () => compareWords('code_verifier', 'no code_verifier, as the sign-in had no code_challenge'),
    fixes: () => [advice('Send the challenge when the sign-in starts.', byHand)],
    references: ['RFC 7636 §4.3'],
  },
} as const satisfies ReasonEntries;

/** Compares the hashes, because the verifier itself is never shown. */
function compareHashes(refused: Case, verifier: string): Comparison {
  const challenge = challengeOf(refused);
  const note = verifier === '' ? 'the SHA-256 of nothing' : `of a verifier with ${verifier.length} characters`;
  const value = challenge === '' ? plain('no longer in the history') : marked(challenge);
  return {
    sentLabel: 'Hash of your verifier',
    sent: [...marked(s256(verifier)), ...plain(`  ${note}`)],
    expectedLabel: 'Challenge from the sign-in',
    expected: [{ value, differs: '', about: 'from the authorization request' }],
  };
}

function startWithPkce(refused: Case): readonly ProposedFix[] {
  const { client, who } = refused;
  const inTheApp = advice('Switch PKCE on in the app.', library, byHand);
  const mayGoWithout = client?.client_secret !== undefined && isOurs(refused);
  if (!mayGoWithout) return [inTheApp];
  return [inTheApp, patchClient(refused, `Let ${who} sign in without PKCE`, { require_pkce: false })];
}

interface PkceCause {
  readonly short: string;
  readonly why: string;
  readonly isCertain: boolean;
  /** The app made the verifier wrongly. It did not confuse two logins. */
  readonly isMadeWrongly?: true;
}

interface Pair {
  readonly verifier: string;
  readonly challenge: string;
}

function pkceCause(refused: Case): PkceCause {
  const verifier = refused.parameters.get('code_verifier') ?? '';
  const isRecorded = refused.parameters.size > 0; // a request without a recorded body has only its event
  if (!isRecorded && refused.error.reason === 'pkce_mismatch') return lost;
  const pair = { verifier, challenge: challengeOf(refused) };
  return firstOf(refused, pair) ?? lost;
}

function firstOf(refused: Case, pair: Pair): PkceCause | undefined {
  return (
    wrongForm(pair) ??
    wrongChallenge(pair) ??
    spoiltVerifier(pair) ??
    wrongAlphabet(pair) ??
    wrongLength(pair) ??
    otherLogin(refused, pair)
  );
}

function challengeOf({ known, error: { expected = '' }, parameters }: Case): string {
  if (/^[A-Za-z0-9_-]{43}$/.test(expected)) return expected;
  return loginParameter(known, parameters.get('code'), 'code_challenge') ?? '';
}

const shortest = 43;
const longest = 128;

function wrongForm({ verifier }: Pair): PkceCause | undefined {
  if (verifier === '') return empty;
  if (['undefined', 'null'].includes(verifier)) {
    const why = `The app sent the word \`${verifier}\`, so its variable was not set. The verifier was lost between the start of the sign-in and the callback.`;
    return { short: `is the word \`${verifier}\``, why, isCertain: true };
  }
  return undefined;
}

function wrongLength({ verifier }: Pair): PkceCause | undefined {
  if (verifier.length >= shortest && verifier.length <= longest) return undefined;
  const why = `A verifier has 43 to 128 characters. This one has ${verifier.length}. 32 random bytes in base64url give 43 characters.`;
  return { short: `has ${verifier.length} characters`, why, isCertain: true };
}

const mostNamed = 5;

/** RFC 7636 §4.1 allows only unreserved characters. The hash may still match. */
function wrongAlphabet({ verifier, challenge }: Pair): PkceCause | undefined {
  const odd = [...new Set(verifier.replace(/[A-Za-z0-9\-._~]/g, ''))];
  if (odd.length === 0) return undefined;
  const names = odd.slice(0, mostNamed).map(each => (/\s/.test(each) ? 'white space' : each));
  const base64 = odd.every(each => '+/='.includes(each)) ? ', which come from standard base64' : '';
  const fits =
    s256(verifier) === challenge ? ' The hash matches the challenge of this sign-in, so nothing else is wrong.' : '';
  return {
    short: 'has characters that are not allowed',
    why: `A verifier may contain only A-Z a-z 0-9 - . _ ~. This one has ${names.join(' ')}${base64}.${fits} Write the random bytes as base64url without padding, then compute the challenge.`,
    isCertain: true,
    isMadeWrongly: true,
  };
}

const empty: PkceCause = {
  short: 'is empty',
  why: 'The verifier was lost between the start of the sign-in and the callback. The app kept it in memory and the page was reloaded, or the storage was cleared, or the callback runs on a different origin (localhost and 127.0.0.1 have separate storage).',
  isCertain: true,
};

function wrongChallenge({ verifier, challenge }: Pair): PkceCause | undefined {
  if (verifier === challenge) {
    const why =
      'The app sent the same string as code_challenge and as code_verifier. With S256 the challenge is the base64url of the SHA-256 of the verifier. The app did not hash the verifier, or stored the challenge in its place.';
    return { short: 'is the code_challenge itself', why, isCertain: true };
  }
  if (hash('sha256', Buffer.from(verifier, 'base64url'), 'base64url') === challenge) {
    const why =
      'The app hashed the random bytes. The challenge must be the hash of the verifier as ASCII text, so write the bytes as base64url first.';
    return { short: 'was hashed as bytes instead of text', why, isCertain: true };
  }
  return undefined;
}

const changes: readonly (readonly [what: string, undo: (verifier: string) => string])[] = [
  ['has white space around it', verifier => verifier.trim()],
  ['has quotes around it', verifier => verifier.replace(/^"|"$/g, '')],
  ['is percent-encoded twice', verifier => percentDecoded(verifier)],
  ['has spaces in place of plus signs', verifier => verifier.replaceAll(' ', '+')],
  ['ends in base64 padding (=)', verifier => verifier.replace(/=+$/, '')],
];

function spoiltVerifier({ verifier, challenge }: Pair): PkceCause | undefined {
  const [what] = changes.find(([, undo]) => undo(verifier) !== verifier && s256(undo(verifier)) === challenge) ?? [];
  if (what === undefined) return undefined;
  const why = `The verifier ${what}, and would match otherwise. Something changed it after it was stored.`;
  return { short: what, why, isCertain: true };
}

/** A verifier that matches a different login of the log proves that the app confused two logins. */
function otherLogin({ known, error }: Case, { verifier }: Pair): PkceCause | undefined {
  const other = loginWithChallenge(known, s256(verifier));
  if (other === undefined) return undefined;
  const why = `This verifier belongs to a different sign-in, which started ${span(Math.abs(error.at - other.at))} earlier (${other.requestId}). Two tabs, or a sign-in that starts twice, store both verifiers under one name, and the later one overwrites the first.`;
  return { short: 'belongs to a different sign-in', why, isCertain: true };
}

const lost: PkceCause = {
  short: 'belongs to a different sign-in',
  why: 'The verifier is well-formed, but its hash is not the challenge this sign-in started with. The usual cause is a second sign-in that started before the first one came back, and overwrote its verifier.',
  isCertain: false,
};
