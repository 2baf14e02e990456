import { recordIn } from '../../../base/text/record.ts';
import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { ExamModule, Seen } from '../exam-module.ts';
import { firstsAt, observed, repeated } from '../judge.ts';

// The requests of a client under FAPI 2.0 Security Profile §5.3.3. Nothing is wrong with the provider.

const noStart = 'The app sent no authorization request.';
const noToken = 'The app got no token.';
const noAssertion = 'The app sends no client assertion.';
const withPar =
  'Use the function of the library that pushes the request (buildAuthorizationUrlWithPAR, pushedAuthorizationRequest).';
const withAssertion = 'Let the library make the assertion (PrivateKeyJwt), with the metadata of the provider.';

const asked = (seen: Seen) => [...seen.at('par'), ...seen.at('token')];
const claimsIn = (jwt: unknown) => recordIn(Buffer.from(String(jwt).split('.')[1] ?? '', 'base64url').toString()) ?? {};
const asserted = (seen: Seen) => asked(seen).filter(request => request.form.has('client_assertion'));
const assertionOf = (request: RecordedRequest) => claimsIn(request.form.get('client_assertion'));
const methodOf = (request: RecordedRequest) => request.fact('client.authenticated')?.method ?? 'none';
const withTokens = (seen: Seen) => seen.at('token').filter(({ answer }) => 'access_token' in answer);

function isBound(request: RecordedRequest): boolean {
  const { token_type, access_token } = request.answer;
  const stored = request.facts.some(fact => fact.type === 'token.issued' && fact.claims?.cnf !== undefined);
  return String(token_type).toLowerCase() === 'dpop' || stored || claimsIn(access_token).cnf !== undefined;
}

const strongMethods = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'];

/** Seconds. An assertion is made for one request. */
const longLife = 300;

/** The rules for requests of FAPI 2.0, each seen in one or two good sign-ins. */
export const fapiRequestModules: readonly ExamModule[] = [
  observed({
    id: 'pushed-request',
    title: 'The authorization request is pushed',
    references: ['FAPI 2.0 Security Profile §5.3.3.2', 'RFC 9126 §1'],
    gain: 'Somebody who has the browser changes the request or reads it: scope, redirect URI, account.',
    right: 'Sends the request to the endpoint for pushed requests, and request_uri with the browser.',
    mend: withPar,
    absent: noStart,
    met: seen => firstsAt(seen, 'authorize'),
    wrong: seen => firstsAt(seen, 'authorize').filter(({ query }) => !query.has('request_uri')),
    found: 'The app sent the authorization request through the browser.',
  }),
  observed({
    id: 'only-request-uri',
    title: 'The browser brings client_id and request_uri alone',
    references: ['FAPI 2.0 Security Profile §5.3.3.2', 'RFC 9126 §4'],
    gain: 'A server that mixes both takes a parameter from the browser, where anybody changes it.',
    right: 'Sends nothing else to the authorization endpoint, because the pushed request has it all.',
    mend: withPar,
    absent: 'The app pushes no authorization request.',
    met: seen => firstsAt(seen, 'authorize').filter(({ query }) => query.has('request_uri')),
    wrong: seen =>
      firstsAt(seen, 'authorize').filter(
        ({ query }) =>
          query.has('request_uri') && [...query.keys()].some(name => name !== 'client_id' && name !== 'request_uri'),
      ),
    found: 'The app sent more than client_id and request_uri.',
  }),
  observed({
    id: 'request-uri-reused',
    title: 'Two sign-ins have two pushed requests',
    references: ['RFC 9126 §2.2', 'RFC 9126 §4'],
    gain: 'People cannot sign in again where a request_uri is good once, and a code that was seen fits a later sign-in.',
    right: 'Pushes a new request for each sign-in.',
    mend: withPar,
    absent: 'The app pushes no authorization request, or did not sign in twice.',
    times: 2,
    met: seen => firstsAt(seen, 'authorize').filter(({ query }) => query.has('request_uri')),
    wrong: seen => repeated(firstsAt(seen, 'authorize'), ({ query }) => query.get('request_uri') ?? undefined),
    found: 'The app sent the same request_uri twice.',
  }),
  observed({
    id: 'sender-constrained-tokens',
    title: 'The access token is bound to a key of the app',
    references: ['FAPI 2.0 Security Profile §5.3.3.1', 'RFC 9449 §5'],
    gain: 'Somebody who reads an access token in a log or on its way uses it.',
    right: 'Sends a DPoP proof, or a certificate, with each token request.',
    mend: 'Give the library a key for DPoP (getDPoPHandle, DPoP), or a certificate for mutual TLS.',
    absent: noToken,
    met: withTokens,
    wrong: seen => withTokens(seen).filter(request => !isBound(request)),
    found: 'The app got a bearer token, because it sent neither a DPoP proof nor a certificate.',
  }),
  observed({
    id: 'client-authentication',
    title: 'The app proves who it is with a key',
    references: ['FAPI 2.0 Security Profile §5.3.3.1'],
    gain: 'A secret is sent with each request, and somebody who reads one in a log is the app from then on.',
    right: 'Authenticates with private_key_jwt or mutual TLS, and has no client_secret.',
    mend: 'Register a public key for the app (jwks), and give the private one to the library (PrivateKeyJwt).',
    absent: noToken,
    met: withTokens,
    wrong: seen => withTokens(seen).filter(request => !strongMethods.includes(methodOf(request))),
    found: 'The app authenticates with a secret, or not at all.',
  }),
  observed({
    id: 'client-assertion-aud',
    title: 'The audience of the client assertion is the issuer',
    references: ['FAPI 2.0 Security Profile §5.3.3.1'],
    gain: 'A second provider, which an attacker runs, names the endpoints of the first, and uses the assertions it gets there.',
    right: 'Sets aud to the issuer, as one text.',
    mend: `${withAssertion} Update a library that takes the token endpoint as aud.`,
    absent: noAssertion,
    met: asserted,
    wrong: seen => asserted(seen).filter(request => !isIssuer(assertionOf(request).aud, seen)),
    found: 'The app sent an assertion for an endpoint, or for a list.',
  }),
  observed({
    id: 'client-assertion-lifetime',
    title: 'The client assertion lives for minutes',
    references: ['RFC 7523 §3', 'RFC 7521 §5.2'],
    gain: 'Somebody who finds an assertion in a log is the app for as long as it lives, where the server does not keep jti.',
    right: 'Sets exp to a minute or so from now.',
    mend: withAssertion,
    otherwise: 'warn', // no specification names a number
    absent: noAssertion,
    met: asserted,
    wrong: seen => asserted(seen).filter(request => Number(assertionOf(request).exp) > request.event.at + longLife),
    found: 'The app sent an assertion that lives longer than five minutes.',
  }),
];

/** The server took the assertion, so its audience is the issuer or the address of an endpoint. */
function isIssuer(aud: unknown, seen: Seen): boolean {
  if (typeof aud !== 'string' || !URL.canParse(aud)) return false;
  return !asked(seen).some(({ event }) => event.path === new URL(aud).pathname);
}
