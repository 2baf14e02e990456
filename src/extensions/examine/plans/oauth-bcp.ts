import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { ExamPlan, Seen } from '../exam-module.ts';
import { after, mustAccept, mustRefuse, observed, repeated, requested, startsOf } from '../judge.ts';
import { baseline } from './baseline.ts';
import { boundTokenModules } from './bound-token.ts';
import { injectionModules } from './injection.ts';

const noStart = 'The app sent no authorization request.';
const noState = 'The app sends no state.';
const noToken = 'The app sent no token request.';
const noChallenge = 'The app sends no code_challenge.';
const injected =
  'Somebody brings their own code into the browser of a user, who then works in the account of the attacker.';
const mixedUp = 'A second provider, which an attacker runs, gets the code of the first one (mix-up).';
const intercepted = 'Somebody who reads the code on its way (a log, another app, a proxy) gets the tokens.';
const ownState =
  'Let the library make state for each sign-in, keep it in the session, and give it back to the library at the callback.';
const withPkce =
  'Switch PKCE on in the library (pkce: true, code_challenge_method S256) and let it make a verifier for each sign-in.';

const sentState = (seen: Seen) => startsOf(seen).some(request => requested(request, 'state') !== undefined);
const isChallenged = (request: RecordedRequest | undefined) =>
  request !== undefined && requested(request, 'code_challenge') !== undefined;
const challenged = (seen: Seen) => startsOf(seen).filter(isChallenged);
const noTokenRequest = (seen: Seen, met: Parameters<typeof after>[1]) => after(seen, met, 'token');

/** Clients of OAuth 2.0: the attacks of RFC 9700. */
export const oauthBcp: ExamPlan = {
  id: 'oauth-bcp',
  title: 'OAuth 2.0 security best current practice',
  about: 'For each app that uses the code flow, with and without OpenID Connect.',
  modules: [
    baseline,
    mustRefuse({
      id: 'invalid-state',
      suite: 'fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-state-fails',
      title: 'The authorization response has another state',
      references: ['RFC 6749 §10.12', 'RFC 9700 §4.7.1'],
      gain: injected,
      right: 'Compares state with the one of this browser session, and redeems no code.',
      mend: ownState,
      absent: noState,
      faults: [{ fault: 'wrong_state' }],
      met: seen => (sentState(seen) ? seen.baited : []),
      never: noTokenRequest,
    }),
    mustRefuse({
      id: 'missing-state',
      suite: 'fapi2-security-profile-final-client-test-ensure-authorization-response-with-invalid-missing-state-fails',
      title: 'The authorization response has no state, although the app sent one',
      references: ['RFC 6749 §10.12', 'RFC 9700 §4.7.1'],
      gain: injected,
      right: 'Requires the state that it sent, and redeems no code.',
      mend: ownState,
      absent: noState,
      faults: [{ fault: 'missing_state' }],
      met: seen => (sentState(seen) ? seen.baited : []),
      never: noTokenRequest,
    }),
    observed({
      id: 'state-reused',
      title: 'Two sign-ins have two states',
      references: ['RFC 6749 §10.12', 'RFC 9700 §4.7.1'],
      gain: injected,
      right: 'Makes a new state for each sign-in, from random numbers.',
      mend: ownState,
      absent: noState,
      times: 2,
      met: seen => startsOf(seen).filter(request => requested(request, 'state') !== undefined),
      wrong: seen => repeated(startsOf(seen), request => requested(request, 'state')),
      found: 'The app sent the same state twice.',
    }),
    mustRefuse({
      id: 'invalid-authorization-response-iss',
      suite: 'fapi2-security-profile-final-client-test-invalid-authorization-response-iss',
      title: 'The authorization response is of another issuer',
      references: ['RFC 9207 §2.4', 'RFC 9700 §4.4.2'],
      gain: mixedUp,
      right: 'Compares iss of the response with the issuer that it asked, and redeems no code.',
      mend: 'Use a library that knows RFC 9207, and give it all parameters of the response.',
      absent: noStart,
      faults: [{ fault: 'wrong_iss' }],
      never: noTokenRequest,
    }),
    mustRefuse({
      id: 'remove-authorization-response-iss',
      suite: 'fapi2-security-profile-final-client-test-remove-authorization-response-iss',
      title: 'The authorization response names no issuer, although the metadata promises it',
      references: ['RFC 9207 §2.4', 'RFC 9700 §4.4.2'],
      gain: mixedUp,
      right: 'Requires iss where authorization_response_iss_parameter_supported is true, and redeems no code.',
      mend: 'Use a library that knows RFC 9207, and give it the metadata of the provider.',
      absent: noStart,
      faults: [{ fault: 'missing_iss' }],
      never: noTokenRequest,
    }),
    observed({
      id: 'pkce',
      title: 'Each authorization request has a code_challenge',
      references: ['RFC 7636 §4.3', 'RFC 9700 §2.1.1'],
      gain: intercepted,
      right: 'Sends code_challenge, and the verifier of it with the code.',
      mend: withPkce,
      absent: noStart,
      met: startsOf,
      wrong: seen => startsOf(seen).filter(request => !isChallenged(request)),
      found: 'The app sent no code_challenge.',
    }),
    observed({
      id: 'pkce-reused',
      title: 'Two sign-ins have two verifiers',
      references: ['RFC 7636 §4.1', 'RFC 9700 §2.1.1'],
      gain: 'Somebody who has seen one verifier redeems each later code.',
      right: 'Makes a new verifier for each sign-in, from random numbers.',
      mend: withPkce,
      absent: noChallenge,
      times: 2,
      met: challenged,
      wrong: seen => repeated(challenged(seen), request => requested(request, 'code_challenge')),
      found: 'The app sent the same code_challenge twice.',
    }),
    {
      ...observed({
        id: 'pkce-downgrade',
        title: 'The metadata does not promise PKCE',
        references: ['RFC 9700 §2.1.1', 'RFC 9700 §4.8.2'],
        gain: 'Somebody who can change the metadata switches PKCE off.',
        right: 'Sends code_challenge whatever the metadata says: a server that does not know it ignores it.',
        mend: withPkce,
        absent: 'The app did not ask for the metadata, or sends no code_challenge at all.',
        met: seen => (seen.baited.length > 0 && isChallenged(startsOf(seen)[0]) ? startsOf(seen).slice(1) : []),
        wrong: seen =>
          startsOf(seen)
            .slice(1)
            .filter(request => !isChallenged(request)),
        found: 'The app sent no code_challenge where the metadata does not promise it.',
      }),
      async run(stage) {
        const first = await stage.signIn();
        if (first.believed !== true) return first;
        await stage.arm({ fault: 'metadata_missing_member', member: 'code_challenge_methods_supported' });
        return stage.signIn();
      },
    },
    ...injectionModules,
    mustAccept({
      id: 'unknown-response-parameter',
      title: 'The authorization response has a parameter that nobody knows',
      references: ['RFC 6749 §4.1.2'],
      gain: 'People cannot sign in once the provider adds a parameter, such as session_state.',
      right: 'Ignores it.',
      mend: 'Read the parameters that you need by their names.',
      absent: noStart,
      faults: [{ fault: 'changed_parameters', change: { grantbox_unknown: 'value' } }],
    }),
    mustRefuse({
      id: 'token-type-unknown',
      title: 'The access token has a type that the app does not know',
      references: ['RFC 6749 §7.1'],
      gain: 'A token that only works with a proof is sent without one, to everybody who listens.',
      right: 'Uses a token only if it knows its token_type.',
      mend: 'Compare token_type with Bearer, without regard to case, before the token is used.',
      absent: noToken,
      faults: [{ fault: 'wrong_token_type' }],
    }),
    mustAccept({
      id: 'token-type-case-insensitivity',
      suite: 'fapi2-security-profile-final-client-test-token-type-case-insensitivity',
      title: 'The token type is written in other letters',
      references: ['RFC 6749 §5.1'],
      gain: 'People cannot sign in at a provider that writes bearer or BEARER.',
      right: 'Compares token_type without regard to case.',
      mend: 'Compare token_type in lower case.',
      absent: noToken,
      faults: [{ fault: 'token_type_case' }],
    }),
    ...boundTokenModules,
    observed({
      id: 'no-secret-in-url',
      title: 'No address has a secret',
      references: ['RFC 6749 §2.3.1', 'RFC 9700 §4.3'],
      gain: 'Logs, histories and proxies keep addresses, and with them the secret.',
      right: 'Sends its secret in a header or in the body.',
      mend: 'Remove client_secret, code_verifier and tokens from the query, and use client_secret_basic.',
      absent: noStart,
      met: startsOf,
      wrong: seen => seen.requests.filter(({ query }) => secrets.some(name => query.has(name))),
      found: 'A secret was sent in an address.',
    }),
  ],
};

const secrets = ['client_secret', 'client_assertion', 'code_verifier', 'refresh_token', 'access_token', 'password'];
