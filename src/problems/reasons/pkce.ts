import type { Case } from '../case.ts';
import { compareSentAndExpected, compareText, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import type { Comparison, ProposedFix } from '../problem.ts';
import { advice, isOurs, patchClient } from '../remedies.ts';
import { inApp } from '../source-text.ts';
import { marked, plain } from '../url-difference.ts';
import { challengeOf, pkceCause, s256 } from './pkce-cause.ts';

const library = inApp(
  [
    "// oidc-client-ts, openid-client: it is on for response_type: 'code'",
    "// Auth.js: checks: ['pkce', 'state']",
    '// Spring Security: OAuth2AuthorizationRequestCustomizers.withPkce()',
    '// AppAuth: it is on; do not call setCodeVerifier(null)',
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
      if (error.endpoint !== 'token') return `${who} must use PKCE, and there is no code_challenge`;
      return `The code_verifier of ${who} is ${parameters.has('code_verifier') ? 'empty' : 'missing'}`;
    },
    why: refused => {
      if (refused.error.endpoint === 'token')
        return `The login was started with a code_challenge, so only the app that knows its code_verifier may redeem the code. ${pkceCause(refused).why}`;
      return 'Without PKCE whoever gets hold of the code can redeem it. A public client has no secret that would stop them.';
    },
    fix: 'This client must use PKCE: make a verifier, send code_challenge and code_challenge_method=S256 here and code_verifier with the code. Every current library has it built in.',
    rfc: 'RFC 7636 §4.4.1',
    reported: 'A login came without PKCE',
    compare: refused => (refused.error.endpoint === 'token' ? compareHashes(refused, '') : undefined),
    fixes: refused =>
      refused.error.endpoint === 'token'
        ? [advice('Keep one verifier for each login, where the callback finds it.', guard)]
        : startWithPkce(refused),
    references: ['RFC 7636 §4.6', 'RFC 9700 §2.1.1'],
  },
  pkce_method_unsupported: {
    title: 'The code_challenge_method is not S256',
    why: 'With plain, or without a method, the challenge is the verifier itself, and whoever reads the address can redeem the code. Only S256 is taken here.',
    fix: 'Send code_challenge_method=S256 and the base64url of the SHA-256 of the verifier.',
    rfc: 'RFC 7636 §4.3',
    reported: 'A login came with PKCE, but without S256',
    compare: ({ error }) => compareText(error.sent ?? '', ['S256']),
    fixes: () => [advice('Switch the library to S256, or make the challenge yourself.', byHand)],
    references: ['RFC 7636 §4.2', 'RFC 9700 §2.1.1'],
  },
  pkce_mismatch: {
    title: refused => `The code_verifier ${pkceCause(refused).short}`,
    why: refused => pkceCause(refused).why,
    fix: 'Send the code_verifier this very login started with. Two tabs or a double start overwrite a verifier kept under one name.',
    rfc: 'RFC 7636 §4.6',
    certainty: refused => (pkceCause(refused).isCertain ? 'certain' : 'likely'),
    others: [
      'The login came back to another origin than it started on: localhost and 127.0.0.1 have separate storage.',
      'The app makes a new verifier when the callback page loads.',
      'The challenge was made by other code than the verifier.',
    ],
    compare: refused => {
      const verifier = refused.parameters.get('code_verifier');
      return verifier === undefined ? compareSentAndExpected(refused) : compareHashes(refused, verifier);
    },
    fixes: refused =>
      pkceCause(refused).isMadeWrongly === true
        ? [advice('Make the verifier of base64url characters.', byHand)]
        : [advice('Keep one verifier for each login, where the callback finds it.', guard)],
  },
  pkce_unexpected: {
    title: 'A code_verifier came, but the login of {client} had no code_challenge',
    why: 'A verifier without a challenge proves nothing. If it were taken, an attacker could strip the challenge from the login, and nobody would notice.',
    fix: 'Send code_challenge when the login starts, or leave code_verifier out.',
    rfc: 'RFC 9700 §2.1.1',
    reported: 'A code_verifier came for a login without a code_challenge',
    compare: () => compareWords('code_verifier', 'no code_verifier, because the login had no code_challenge'),
    fixes: () => [advice('Send the challenge when the login starts.', byHand)],
    references: ['RFC 7636 §4.3'],
  },
} as const satisfies ReasonEntries;

/** The verifier is never shown: both sides as hashes, with what is known of the one that came. */
function compareHashes(refused: Case, verifier: string): Comparison {
  const challenge = challengeOf(refused);
  const note = verifier === '' ? 'the SHA-256 of nothing' : `of a verifier of ${verifier.length} characters`;
  const value = challenge === '' ? plain('no longer in the history') : marked(challenge);
  return {
    sentLabel: 'Hash of your verifier',
    sent: [...marked(s256(verifier)), ...plain(`  ${note}`)],
    expectedLabel: 'Challenge from the login',
    expected: [{ value, differs: '', about: 'of the authorization request' }],
  };
}

function startWithPkce(refused: Case): readonly ProposedFix[] {
  const { client, who } = refused;
  const inTheApp = advice('Switch PKCE on in the app.', library, byHand);
  const mayGoWithout = client?.client_secret !== undefined && isOurs(refused);
  if (!mayGoWithout) return [inTheApp];
  return [inTheApp, patchClient(refused, `Let ${who} go without PKCE`, { require_pkce: false })];
}
