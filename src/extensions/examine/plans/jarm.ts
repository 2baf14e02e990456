import type { AskedFault } from '../../../server/faults/fault.ts';
import type { ExamModule } from '../exam-module.ts';
import { after, mustRefuse } from '../judge.ts';

// Signed authorization responses (JARM §2.4): each module breaks one check.

const suite = 'fapi2-security-profile-final-client-test-';
const mixedUp = 'A second provider, which an attacker runs, gets the code of the first one (mix-up).';
const forged = 'Somebody who can send a browser to the app brings in a response with a code of their own.';
const stale = 'A response from an old log or history is brought into the browser of a user.';

type JarmWords = Pick<ExamModule, 'id' | 'title' | 'gain' | 'right'>;

function signedResponse(words: JarmWords, fault: AskedFault): ExamModule {
  return mustRefuse({
    ...words,
    suite: suite + words.id,
    references: ['JARM §2.4'],
    mend: 'Let the library read the signed response (useJwtResponseMode, validateJwtAuthResponse); do not only decode it.',
    absent: 'The app does not ask for a signed response (response_mode=jwt).',
    faults: [{ ...fault, token: 'response' }],
    never: (seen, met) => after(seen, met, 'token'),
  });
}

const changed = (change: Readonly<Record<string, unknown>>): AskedFault => ({ fault: 'changed_claims', change });

/** By the names of the suite of FAPI 2.0 Message Signing. */
export const jarmModules: readonly ExamModule[] = [
  signedResponse(
    {
      id: 'ensure-jarm-without-iss-fails',
      title: 'The signed response names no issuer',
      gain: mixedUp,
      right: 'Requires iss in the signed response, and redeems no code.',
    },
    changed({ iss: null }),
  ),
  signedResponse(
    {
      id: 'ensure-jarm-with-invalid-iss-fails',
      title: 'The signed response names another issuer',
      gain: mixedUp,
      right: 'Compares iss in the signed response with the issuer that it asked, and redeems no code.',
    },
    changed({ iss: 'https://another-issuer.example' }),
  ),
  signedResponse(
    {
      id: 'ensure-jarm-without-aud-fails',
      title: 'The signed response is for nobody',
      gain: forged,
      right: 'Requires aud in the signed response, and redeems no code.',
    },
    changed({ aud: null }),
  ),
  signedResponse(
    {
      id: 'ensure-jarm-with-invalid-aud-fails',
      title: 'The signed response is for another client',
      gain: 'An app where somebody signed in takes the response it got, and brings it into this one.',
      right: 'Compares aud in the signed response with its own client_id, and redeems no code.',
    },
    changed({ aud: 'another-client' }),
  ),
  signedResponse(
    {
      id: 'ensure-jarm-without-exp-fails',
      title: 'The signed response never expires',
      gain: stale,
      right: 'Requires exp in the signed response, and redeems no code.',
    },
    changed({ exp: null }),
  ),
  signedResponse(
    {
      id: 'ensure-jarm-with-expired-exp-fails',
      title: 'The signed response has expired',
      gain: stale,
      right: 'Compares exp in the signed response with its clock, and redeems no code.',
    },
    { fault: 'expired' },
  ),
  signedResponse(
    {
      id: 'ensure-jarm-with-invalid-sig-fails',
      title: 'The signature of the response is wrong',
      gain: forged,
      right: 'Verifies the signature with a key of the JWK Set, and redeems no code.',
    },
    { fault: 'bad_signature' },
  ),
  signedResponse(
    {
      id: 'ensure-jarm-signature-is-not-none',
      title: 'The response has no signature, and its alg is none',
      gain: forged,
      right: 'Decides itself which algorithms it accepts, and none is not among them.',
    },
    { fault: 'alg_none' },
  ),
];
