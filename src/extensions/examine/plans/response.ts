import { decodeJwt } from '../../../base/text/jwt.ts';
import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { ExamModule, Seen } from '../exam-module.ts';
import { after, mustAccept, mustRefuse, observed, startsOf } from '../judge.ts';

// The authorization response, the client at the token endpoint, and how it got its name.

const isPosted = (seen: Seen) => startsOf(seen).some(request => request.value('response_mode') === 'form_post');

const denied = {
  references: ['RFC 6749 §4.1.2.1'],
  gain: 'Nothing; but people who refuse see a broken page instead of a sentence.',
  right: 'Reads error before code, and sends no token request.',
  faults: [{ fault: 'authorize_error', error: 'access_denied' }],
  never: (seen: Seen, met: readonly RecordedRequest[]) => after(seen, met, 'token'),
} as const;

/** `Authorization: Basic`, or the secret in the body. */
const bySecret = (request: RecordedRequest) => request.form.has('client_secret') || isBasic(request);
const isBasic = (request: RecordedRequest) => /^basic /i.test(request.header('authorization') ?? '');

/** Errors in the response, the secret, and registration. */
export const responseModules: readonly ExamModule[] = [
  mustRefuse({
    ...denied,
    id: 'authorization-error',
    title: 'The authorization response is an error',
    mend: 'Look at the parameter error of the redirect first, and say what happened.',
    absent: 'The app sent no authorization request, or wants its response in a form.',
    met: seen => (isPosted(seen) ? [] : seen.baited),
  }),
  mustRefuse({
    ...denied,
    id: 'form-post-error',
    suite: 'oidcc-client-test-form-post-error',
    title: 'The authorization response is an error in a form',
    references: ['RFC 6749 §4.1.2.1', 'Form Post Response Mode §2'],
    mend: 'Look at the member error of the form first, and say what happened.',
    absent: 'The app does not ask for response_mode=form_post.',
    met: seen => (isPosted(seen) ? seen.baited : []),
  }),
  observed({
    id: 'client-secret-basic',
    suite: 'oidcc-client-test-client-secret-basic',
    title: 'The app sends its secret in the header Authorization',
    references: ['RFC 6749 §2.3.1', 'OIDC Core §9'],
    gain: 'Logs of bodies, which many frameworks and proxies write, keep the secret.',
    right: 'Sends Authorization: Basic, which each provider has to accept.',
    mend: 'Choose client_secret_basic in the library (ClientSecretBasic), and not client_secret_post.',
    absent: 'The app has no secret, or proves itself by a key.',
    otherwise: 'warn', // the body is "not recommended"
    met: seen => seen.at('token').filter(bySecret),
    wrong: seen => seen.at('token').filter(request => request.form.has('client_secret')),
    found: 'The app sent its secret in the body.',
  }),
  mustAccept({
    id: 'dynamic-registration',
    suite: 'oidcc-client-test-dynamic-registration',
    title: 'The app registers itself, and is answered with more than it asked for',
    references: ['RFC 7591 §3.2.1', 'OIDC Registration §3.2'],
    gain: 'Nobody can sign in once the provider adds a member to its answer.',
    right: 'Takes client_id and client_secret, and ignores the members that it does not know.',
    mend: 'Read the members that you need by their names.',
    absent: 'The app does not register itself.',
    faults: [{ fault: 'changed_members', endpoint: 'registration', change: { grantbox_unknown: { a: 1 } } }],
  }),
  observed({
    id: 'request-object-audience',
    title: 'The app sends its request as a signed object',
    references: ['OIDC Core §6.1', 'RFC 9101 §4'],
    gain: 'A second provider, to which somebody sends the object again, takes it for a request to itself.',
    right: 'Says in aud of the request object for which issuer it is.',
    mend: 'Set aud of the request object to the issuer, and iss to the client_id.',
    absent: 'The app sends no request object in the parameter request.',
    otherwise: 'warn', // the specifications say SHOULD
    met: seen => startsOf(seen).filter(request => claimsOf(request) !== undefined),
    wrong: seen => startsOf(seen).filter(request => (claimsOf(request) ?? { aud: '' }).aud === undefined),
    found: 'The request object has no aud.',
  }),
];

/** The claims of the request object of an authorization request. */
function claimsOf(request: RecordedRequest): Readonly<Record<string, unknown>> | undefined {
  return decodeJwt(request.value('request') ?? '')?.claims;
}
