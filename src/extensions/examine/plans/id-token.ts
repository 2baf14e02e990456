import type { ExamModule, Seen } from '../exam-module.ts';
import { mustAccept, mustRefuse, observed, repeated, requested, startsOf } from '../judge.ts';

// The ID token of a sign-in: each module breaks one check of OIDC Core §3.1.3.7.

const noIdToken = 'The app got no ID token, because it does not ask for the scope openid.';
const impostor = 'Somebody who writes an ID token is signed in as the person whom it names.';
const usualPlace =
  'Let the library validate the ID token with the issuer and the client_id; do not only decode it (jwt-decode, atob).';

/** The audience of the bait is the `client_id` of the baseline, which an app that registers itself has no more. */
const sameClient = {
  absent: 'The app got no ID token, or registers itself with each issuer, so that nobody knows its client_id before.',
  met: (seen: Seen) => (seen.at('registration').length > 0 ? [] : seen.baited),
} as const;

const idToken = { references: ['OIDC Core §3.1.3.7'], absent: noIdToken, mend: usualPlace } as const;

/** ID tokens that a right app refuses, and the two that it accepts. */
export const idTokenModules: readonly ExamModule[] = [
  mustRefuse({
    ...idToken,
    id: 'invalid-iss',
    suite: 'oidcc-client-test-invalid-iss',
    title: 'The ID token names another issuer',
    gain: 'A server that the app does not trust signs people in.',
    right: 'Compares iss with the issuer that it discovered, character by character.',
    faults: [{ fault: 'changed_claims', token: 'id', change: { iss: 'https://another-issuer.example' } }],
  }),
  mustRefuse({
    ...idToken,
    id: 'missing-iss',
    suite: 'fapi2-security-profile-final-client-test-invalid-missing-iss',
    title: 'The ID token names no issuer',
    gain: 'A token that says nothing about its origin signs people in.',
    right: 'Requires iss, and not only compares it where it is there.',
    faults: [{ fault: 'changed_claims', token: 'id', change: { iss: null } }],
  }),
  mustRefuse({
    ...idToken,
    id: 'missing-sub',
    suite: 'oidcc-client-test-missing-sub',
    title: 'The ID token names no user',
    gain: 'Everybody without a sub shares one account.',
    right: 'Requires sub, which is the only stable name of a user.',
    faults: [{ fault: 'changed_claims', token: 'id', change: { sub: null } }],
  }),
  mustRefuse({
    ...idToken,
    id: 'invalid-aud',
    suite: 'oidcc-client-test-invalid-aud',
    title: 'The ID token is for another client',
    gain: 'An app where somebody signed in takes the ID token it got, and is that person here.',
    right: 'Requires its own client_id in aud.',
    faults: [{ fault: 'changed_claims', token: 'id', change: { aud: 'another-client' } }],
  }),
  mustRefuse({
    ...idToken,
    id: 'missing-aud',
    suite: 'oidcc-client-test-missing-aud',
    title: 'The ID token is for nobody',
    gain: 'A token that was made for no client signs people in at each.',
    right: 'Requires aud, and not only compares it where it is there.',
    faults: [{ fault: 'changed_claims', token: 'id', change: { aud: null } }],
  }),
  mustRefuse({
    ...idToken,
    id: 'expired',
    suite: 'fapi2-security-profile-final-client-test-invalid-expired-exp',
    title: 'The ID token has expired',
    gain: 'A token from an old log or backup signs its finder in.',
    right: 'Compares exp with its clock, with a tolerance of a few minutes at most.',
    faults: [{ fault: 'expired', token: 'id' }],
  }),
  mustRefuse({
    ...idToken,
    id: 'missing-exp',
    suite: 'fapi2-security-profile-final-client-test-invalid-missing-exp',
    title: 'The ID token never expires',
    gain: 'A token that leaks once works for ever.',
    right: 'Requires exp.',
    faults: [{ fault: 'changed_claims', token: 'id', change: { exp: null } }],
  }),
  mustRefuse({
    ...idToken,
    id: 'not-yet-valid',
    title: 'The ID token is valid from a time that has not come',
    references: ['RFC 7519 §4.1.5'],
    gain: 'A token that was made in advance works before its time.',
    right: 'Compares nbf with its clock, where it is there.',
    faults: async ({ issuer }) => [
      { fault: 'changed_claims', token: 'id', change: { nbf: Math.floor(issuer.clock()) + 3600 } },
    ],
  }),
  mustRefuse({
    ...idToken,
    id: 'missing-iat',
    suite: 'oidcc-client-test-missing-iat',
    title: 'The ID token does not say when it was made',
    references: ['OIDC Core §2', 'OIDC Core §3.1.3.7'],
    gain: 'The app cannot tell a fresh sign-in from an old one.',
    right: 'Requires iat.',
    faults: [{ fault: 'changed_claims', token: 'id', change: { iat: null } }],
  }),
  mustRefuse({
    ...idToken,
    ...sameClient,
    id: 'invalid-secondary-aud',
    suite: 'fapi2-security-profile-final-client-test-invalid-secondary-aud',
    title: 'The ID token is also for another client',
    references: ['OIDC Core §2', 'OIDC Core §3.1.3.7'],
    gain: 'A token that another client got, or asked for, signs people in here.',
    right: 'Refuses a list with a client that it does not trust, or without azp.',
    otherwise: 'warn', // nobody but the app knows whom it trusts
    faults: async ({ clientId }) => [
      { fault: 'changed_claims', token: 'id', change: { aud: [clientId, 'another-client'], azp: null } },
    ],
  }),
  mustRefuse({
    ...idToken,
    id: 'nonce-invalid',
    suite: 'oidcc-client-test-nonce-invalid',
    title: 'The ID token has a nonce that the app did not send',
    gain: 'Somebody puts a code that they have seen into the browser of the app, and is signed in as its owner.',
    right: 'Makes a nonce for each sign-in, keeps it in the session, and compares it.',
    mend: 'Give the library the nonce of this sign-in (checks.nonce, expectedNonce), and not a fixed one.',
    absent: 'The app sent no nonce, or got no ID token.',
    faults: [{ fault: 'wrong_nonce', token: 'id' }],
    met: seen => (startsOf(seen).some(request => requested(request, 'nonce') !== undefined) ? seen.baited : []),
  }),
  mustRefuse({
    ...idToken,
    id: 'missing-nonce',
    suite: 'fapi2-security-profile-final-client-test-invalid-missing-nonce',
    title: 'The ID token has no nonce, although the app sent one',
    gain: 'A token that was made for another sign-in, without a nonce, signs people in.',
    right: 'Requires the nonce that it sent, and not only compares it where it is there.',
    mend: 'Give the library the nonce of this sign-in (checks.nonce, expectedNonce), so that it has to be there.',
    absent: 'The app sent no nonce, or got no ID token.',
    faults: [{ fault: 'changed_claims', token: 'id', change: { nonce: null } }],
    met: seen => (startsOf(seen).some(request => requested(request, 'nonce') !== undefined) ? seen.baited : []),
  }),
  observed({
    ...idToken,
    id: 'nonce-reused',
    title: 'Two sign-ins have two nonces',
    references: ['OIDC Core §3.1.2.1', 'OIDC Core §15.5.2'],
    gain: 'An ID token of an earlier sign-in is as good as one of this sign-in.',
    right: 'Makes a new nonce for each sign-in, from random numbers.',
    mend: 'Let the library make the nonce for each sign-in, and keep it in the session.',
    absent: 'The app sends no nonce.',
    times: 2,
    met: seen => startsOf(seen).filter(request => requested(request, 'nonce') !== undefined),
    wrong: seen => repeated(startsOf(seen), request => requested(request, 'nonce')),
    found: 'The app sent the same nonce twice.',
  }),
  mustAccept({
    ...idToken,
    ...sameClient,
    id: 'valid-aud-as-array',
    suite: 'fapi2-security-profile-final-client-test-valid-aud-as-array',
    title: 'The ID token has its audience as a list of one',
    references: ['RFC 7519 §4.1.3', 'OIDC Core §2'],
    gain: 'People cannot sign in where the provider writes aud as a list, which many do.',
    right: 'Takes a list with its client_id as it takes the client_id alone.',
    mend: 'Compare with includes where aud is a list.',
    faults: async ({ clientId }) => [{ fault: 'changed_claims', token: 'id', change: { aud: [clientId] } }],
  }),
];

/** The signature and its key. */
export const signatureModules: readonly ExamModule[] = [
  mustRefuse({
    ...idToken,
    id: 'invalid-sig-rs256',
    suite: 'oidcc-client-test-invalid-sig-rs256',
    title: 'The signature of the ID token is wrong',
    references: ['OIDC Core §3.1.3.7', 'RFC 7515 §5.2'],
    gain: impostor,
    right: 'Verifies the signature with a key of the JWK Set.',
    faults: [{ fault: 'bad_signature', token: 'id' }],
  }),
  mustRefuse({
    ...idToken,
    id: 'invalid-sig-none',
    suite: 'fapi2-security-profile-final-client-test-invalid-null-alg',
    title: 'The ID token has no signature, and its alg is none',
    references: ['RFC 8725 §3.1', 'RFC 8725 §3.2'],
    gain: impostor,
    right: 'Decides itself which algorithms it accepts, and none is not among them.',
    mend: 'Name the algorithms in the configuration of the library, and do not take alg from the token.',
    faults: [{ fault: 'alg_none', token: 'id' }],
  }),
  mustRefuse({
    ...idToken,
    id: 'hs256-public-key',
    title: 'The ID token is signed with HS256, and the public key is the secret',
    references: ['RFC 8725 §2.1', 'RFC 8725 §3.1'],
    gain: impostor,
    right: 'Uses a key only with the algorithms that belong to it.',
    mend: 'Name the algorithms in the configuration of the library, and do not take alg from the token.',
    faults: [{ fault: 'hs256_with_public_key', token: 'id' }],
  }),
  {
    ...mustRefuse({
      ...idToken,
      id: 'invalid-sig-es256',
      suite: 'oidcc-client-test-invalid-sig-es256',
      title: 'The ID token is signed with ES256, and the signature is wrong',
      references: ['OIDC Core §3.1.3.7', 'RFC 7515 §5.2'],
      gain: impostor,
      right: 'Verifies the signature of each algorithm that it accepts.',
      absent: 'The app does not accept ES256, or got no ID token.',
      faults: [],
    }),
    async run(stage) {
      const { clients } = stage.issuer;
      if ((await clients.get(stage.clientId)) === undefined) return stage.signIn(); // it registered itself
      const { id_token_signed_response_alg: alg = null } = (await clients.get(stage.clientId)) ?? {};
      await clients.patch(stage.clientId, { id_token_signed_response_alg: 'ES256' });
      try {
        const good = await stage.signIn();
        if (good.believed !== true) return good;
        await stage.arm({ fault: 'bad_signature', token: 'id' });
        return await stage.signIn();
      } finally {
        await clients.patch(stage.clientId, { id_token_signed_response_alg: alg });
      }
    },
  },
  mustRefuse({
    ...idToken,
    id: 'unknown-kid',
    title: 'The ID token names a key that is not published',
    references: ['OIDC Core §10.1', 'RFC 7517 §4.5'],
    gain: 'After a leak the key is withdrawn, and the thief still signs people in with it.',
    right: 'Takes the key that kid names, looks once for new ones, and then refuses.',
    mend: 'Let the library find the key by kid (createRemoteJWKSet), and never fall back to the first one.',
    faults: [{ fault: 'unknown_kid', token: 'id' }],
  }),
  mustAccept({
    ...idToken,
    id: 'kid-absent-single-jwks',
    suite: 'oidcc-client-test-kid-absent-single-jwks',
    title: 'The ID token has no kid, and one published key fits',
    references: ['OIDC Core §10.1'],
    gain: 'People cannot sign in at a provider with one key and no kid.',
    right: 'Uses the only key that fits the algorithm.',
    mend: 'Do not require kid where one key fits.',
    faults: [{ fault: 'changed_claims', token: 'id', header: { kid: null } }],
  }),
  mustRefuse({
    ...idToken,
    id: 'crit-unknown',
    title: 'The ID token has a critical header that nobody knows',
    references: ['RFC 7515 §4.1.11'],
    gain: 'A restriction that the provider marks as critical is ignored.',
    right: 'Refuses an extension that it does not understand.',
    faults: [{ fault: 'unknown_crit', token: 'id' }],
  }),
];
