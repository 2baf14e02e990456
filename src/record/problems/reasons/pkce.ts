import { type Case, named } from '../case.ts';
import { compareSentAndExpected, compareText, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import type { Comparison, ProposedFix } from '../problem.ts';
import { advice, isOurs, patchClient } from '../remedies.ts';
import { inApp } from '../source-text.ts';
import { marked, plain } from '../url-difference.ts';
import { challengeOf, pkceCause, s256 } from './pkce-cause.ts';

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
    "sessionStorage.setItem('verifier:' + state, verifier); // one entry for each login",
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
        return `The login was started with a code_challenge, so only the app that has the code_verifier may redeem the code. ${pkceCause(refused).why}`;
      return 'Without PKCE, anybody who obtains the code can redeem it. A public client has no secret that would stop them.';
    },
    fix: 'Use PKCE: make a verifier, send code_challenge and code_challenge_method=S256 with the login, and code_verifier with the code. Every current library has it built in.',
    rfc: 'RFC 7636 §4.4.1',
    reported: 'A login did not use PKCE',
    compare: refused => (refused.error.endpoint === 'token' ? compareHashes(refused, '') : undefined),
    fixes: refused =>
      refused.error.endpoint === 'token'
        ? [advice('Store one verifier for each login, under its state.', guard)]
        : startWithPkce(refused),
    references: ['RFC 7636 §4.6', 'RFC 9700 §2.1.1'],
  },
  pkce_method_unsupported: {
    title: 'The code_challenge_method is not S256',
    why: 'With `plain`, or without a method, the challenge is the verifier itself, so anybody who reads the address can redeem the code. This server accepts only `S256`.',
    fix: 'Send code_challenge_method=S256 and the base64url of the SHA-256 of the verifier.',
    rfc: 'RFC 7636 §4.3',
    reported: 'A login used PKCE without S256',
    compare: ({ error }) => compareText(error.sent ?? '', ['S256']),
    fixes: () => [advice('Switch the library to S256, or compute the challenge yourself.', byHand)],
    references: ['RFC 7636 §4.2', 'RFC 9700 §2.1.1'],
  },
  pkce_mismatch: {
    title: refused => `The code_verifier ${pkceCause(refused).short}`,
    why: refused => pkceCause(refused).why,
    fix: 'Send the code_verifier of this login. Two tabs or a double start overwrite a verifier that is stored under one name.',
    rfc: 'RFC 7636 §4.6',
    certainty: refused => (pkceCause(refused).isCertain ? 'certain' : 'likely'),
    others: [
      'The login started on one origin and came back to a different one. localhost and 127.0.0.1 have separate storage.',
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
        : [advice('Store one verifier for each login, under its state.', guard)],
  },
  pkce_unexpected: {
    title: '{client} sent a code_verifier, but its login had no code_challenge',
    why: 'A verifier without a challenge proves nothing. If the server accepted it, an attacker could remove the challenge from the login unnoticed.',
    fix: 'Send code_challenge when the login starts, or leave code_verifier out.',
    rfc: 'RFC 9700 §2.1.1',
    reported: 'A code_verifier was sent for a login without a code_challenge',
    compare: () => compareWords('code_verifier', 'no code_verifier, as the login had no code_challenge'),
    fixes: () => [advice('Send the challenge when the login starts.', byHand)],
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
    expectedLabel: 'Challenge from the login',
    expected: [{ value, differs: '', about: 'from the authorization request' }],
  };
}

function startWithPkce(refused: Case): readonly ProposedFix[] {
  const { client, who } = refused;
  const inTheApp = advice('Switch PKCE on in the app.', library, byHand);
  const mayGoWithout = client?.client_secret !== undefined && isOurs(refused);
  if (!mayGoWithout) return [inTheApp];
  return [inTheApp, patchClient(refused, `Let ${who} log in without PKCE`, { require_pkce: false })];
}
