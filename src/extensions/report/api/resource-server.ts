import type { ApiJudged, ApiModule, ApiValues } from './api-module.ts';
import { dpopModules } from './dpop.ts';
import { forgedModules } from './forged.ts';
import { keyModules } from './key-modules.ts';

const verify = ({ issuer, audience, alg }: ApiValues) =>
  `jose: jwtVerify(token, keys, { issuer: '${issuer}', audience: '${audience}', typ: 'at+jwt', algorithms: ['${alg}'] })`;
const verified = () =>
  'Verify the signature before a claim is read: jose jwtVerify, not decodeJwt; jsonwebtoken verify, not decode';
const algorithms = ({ alg }: ApiValues) =>
  `Name the algorithm: jose algorithms: ['${alg}'], Spring jws-algorithms: ${alg}, ASP.NET ValidAlgorithms = ["${alg}"]`;
const audienceLine = ({ audience: name }: ApiValues) =>
  `Set the audience: jose audience: '${name}', Spring audiences: ${name}, ASP.NET ValidAudience = "${name}"`;
const issuerLine = ({ issuer }: ApiValues) =>
  `Set the issuer: jose issuer: '${issuer}', Spring issuer-uri: ${issuer}, ASP.NET ValidIssuer = "${issuer}"`;
const lifetime = () => 'Do not switch the check of the lifetime off (ignoreExpiration, ValidateLifetime = false)';
const scopeLine = ({ scope }: ApiValues) =>
  `Ask for the scope: Spring hasAuthority('SCOPE_${scope}'), express-oauth2-jwt-bearer requiredScopes('${scope}')`;

const anybody = 'Anybody writes a token and calls the API as any user.';
const otherApi = 'Another API gets tokens of your users, and its operator calls this API with them.';
const oldToken = 'A token from an old log or backup calls the API.';

/** A client need not be registered for refresh tokens. */
function whyNone(error: unknown): ApiJudged {
  if (!(error instanceof TypeError)) throw error;
  const reason = error.message.replace(/^(\w+: )+/, ''); // it begins with the names of the call and the member
  return { verdict: 'not_applicable', why: `There is no refresh token to try (${reason}).` };
}

/** The good call, which must be accepted before anything else says something. */
const good: ApiModule = {
  id: 'good',
  title: 'A good token',
  references: ['RFC 6750 §2.1', 'RFC 9068 §4'],
  gain: 'Nobody can call the API.',
  right: 'Accepts it. This proves nothing alone: an API without any check does so, too.',
  expects: 'accept',
  mend: verify,
};

const calls: readonly ApiModule[] = [
  {
    id: 'no-token',
    title: 'No token',
    references: ['RFC 6750 §3'],
    gain: 'Everybody calls the API.',
    right: 'Asks for a token, with 401 and WWW-Authenticate.',
    expects: 'challenge',
    token: null,
    mend: () => 'Put the check before the handlers of all routes, not into some of them',
  },
  {
    id: 'garbage',
    title: 'A text that is no token',
    references: ['RFC 6750 §3.1'],
    gain: 'Nothing but noise: an API that fails here fills its log with errors.',
    right: 'Refuses what it cannot read, and does not fail.',
    expects: 'refuse',
    token: 'not-a-token',
    mend: () => 'Answer 401 where the library throws, not 500',
  },
  {
    id: 'token-in-query',
    title: 'A good token in the address',
    references: ['RFC 6750 §2.3', 'RFC 9700 §4.3.2'],
    gain: 'Clients send tokens in addresses, and logs and Referer headers keep them.',
    right: 'Reads the token from the header alone.',
    expects: 'challenge',
    otherwise: 'warn', // RFC 6750 §2.3 allows an API to read it
    sent: 'in the address',
    mend: () =>
      'Read Authorization alone: Spring setAllowUriQueryParameter(false), passport-jwt fromAuthHeaderAsBearerToken()',
  },
  {
    id: 'scheme-case',
    title: 'A good token behind bearer in small letters',
    references: ['RFC 9110 §11.1'],
    gain: 'Clients that write bearer cannot call the API.',
    right: 'Compares the scheme without regard to case.',
    expects: 'accept',
    sent: 'with a scheme in small letters',
    mend: () => 'Compare the scheme in lower case, not with startsWith("Bearer ")',
  },
];

const times: readonly ApiModule[] = [
  {
    id: 'expired',
    title: 'A token that has expired',
    references: ['RFC 7519 §4.1.4'],
    gain: oldToken,
    right: 'Compares exp with its clock.',
    expects: 'refuse',
    token: { defect: 'expired' },
    mend: lifetime,
  },
  {
    id: 'expired-four-minutes',
    title: 'A token that expired four minutes ago',
    references: ['RFC 7519 §4.1.4'],
    gain: 'A token that was revoked by its short life works for minutes more.',
    right: 'Allows a difference of the clocks of a minute or two.',
    expects: 'refuse',
    otherwise: 'warn', // RFC 7519 says "usually no more than a few minutes"
    token: { lifetime: -240 },
    mend: () => 'Set the tolerance to a minute: jose clockTolerance: 60, ASP.NET ClockSkew = TimeSpan.FromMinutes(1)',
  },
  {
    id: 'no-expiry',
    title: 'A token without exp',
    references: ['RFC 9068 §2.2', 'RFC 9068 §4'],
    gain: 'A token that leaks once works for ever.',
    right: 'Requires exp.',
    expects: 'refuse',
    token: { defect: 'missing_claim', missing: 'exp' },
    mend: () => "Require it: jose requiredClaims: ['exp'], ASP.NET RequireExpirationTime = true",
  },
  {
    id: 'not-yet-valid',
    title: 'A token that is valid in an hour',
    references: ['RFC 7519 §4.1.5'],
    gain: 'A token that was made for later is used now.',
    right: 'Compares nbf with its clock.',
    expects: 'refuse',
    token: { defect: 'not_yet_valid' },
    mend: () => 'Compare nbf, with a tolerance of a minute at most',
  },
  {
    id: 'clock-skew',
    title: 'A token of a server whose clock is half a minute ahead',
    references: ['RFC 7519 §4.1.5'],
    gain: 'Calls fail as soon as two clocks differ a little.',
    right: 'Allows a difference of the clocks of a minute or so.',
    expects: 'accept',
    otherwise: 'warn', // RFC 7519 allows the tolerance, and does not require it
    token: () => ({ claims: { nbf: Math.floor(Date.now() / 1000) + 30 } }),
    mend: () =>
      'Set the tolerance to a minute: jose clockTolerance: 60, Spring JwtTimestampValidator(Duration.ofSeconds(60))',
  },
  {
    id: 'clock-skew-five-minutes',
    title: 'A token of a server whose clock is five minutes ahead',
    references: ['RFC 7519 §4.1.5'],
    gain: 'A token that was made for later is used now.',
    right: 'Allows a difference of the clocks of a minute or so, and not of more.',
    expects: 'refuse',
    otherwise: 'warn', // RFC 7519 says "usually no more than a few minutes"
    token: () => ({ claims: { nbf: Math.floor(Date.now() / 1000) + 300 } }),
    mend: () => 'Set the tolerance to a minute: jose clockTolerance: 60, ASP.NET ClockSkew = TimeSpan.FromMinutes(1)',
  },
];

const names: readonly ApiModule[] = [
  {
    id: 'audience',
    title: 'A token for a different API',
    references: ['RFC 9068 §4'],
    gain: otherApi,
    right: 'Looks for its own name in aud.',
    expects: 'refuse',
    token: { defect: 'wrong_audience' },
    mend: audienceLine,
  },
  {
    id: 'no-audience',
    title: 'A token without aud',
    references: ['RFC 9068 §4'],
    gain: otherApi,
    right: 'Requires its own name in aud, and does not only look for a wrong one.',
    expects: 'refuse',
    token: { defect: 'missing_claim', missing: 'aud' },
    mend: audienceLine,
  },
  {
    id: 'audience-list',
    title: 'A token for this API and a second one',
    references: ['RFC 7519 §4.1.3'],
    gain: 'Clients with a token for two APIs cannot call this one.',
    right: 'Looks for its own name in the list.',
    expects: 'accept',
    token: ({ audience }) => ({ audience: [audience, 'another-api'] }),
    mend: audienceLine,
  },
  {
    id: 'issuer',
    title: 'A token of a different issuer',
    references: ['RFC 9068 §4'],
    gain: 'A server that the API does not trust makes its tokens.',
    right: 'Compares iss with the one issuer that it trusts.',
    expects: 'refuse',
    token: { defect: 'wrong_issuer' },
    mend: issuerLine,
  },
  {
    id: 'no-issuer',
    title: 'A token without iss',
    references: ['RFC 9068 §4'],
    gain: 'A token that says nothing about its origin calls the API.',
    right: 'Requires iss, and does not only look for a wrong one.',
    expects: 'refuse',
    token: { defect: 'missing_claim', missing: 'iss' },
    mend: issuerLine,
  },
];

const signatures: readonly ApiModule[] = [
  {
    id: 'tampered',
    title: 'A token that was changed after it was signed',
    references: ['RFC 7515 §5.2'],
    gain: anybody,
    right: 'Checks the signature.',
    expects: 'refuse',
    token: { defect: 'tampered' },
    mend: verified,
  },
  {
    id: 'wrong-key',
    title: 'A token that a stranger signed under the name of a known key',
    references: ['RFC 7515 §4.1.4'],
    gain: anybody,
    right: 'Checks the signature, and not only kid.',
    expects: 'refuse',
    token: { defect: 'wrong_key' },
    mend: verified,
  },
  {
    id: 'empty-signature',
    title: 'A token whose signature was cut off',
    references: ['RFC 7515 §5.2'],
    gain: anybody,
    right: 'Refuses a token without a signature, whatever its alg says.',
    expects: 'refuse',
    forge: token => `${token.split('.').slice(0, 2).join('.')}.`,
    mend: verified,
  },
  {
    id: 'unknown-kid',
    title: 'A token with an unknown kid',
    references: ['RFC 7517 §4.5'],
    gain: 'After a leak the key is withdrawn, and the thief still makes tokens with it.',
    right: 'Takes no other key for one that it does not find.',
    expects: 'refuse',
    token: { defect: 'unknown_kid' },
    mend: ({ jwksUri }) => `Choose the key by kid from ${jwksUri}, and refuse the token if it is not there`,
  },
  {
    id: 'none',
    title: 'A token without a signature, with alg none',
    references: ['RFC 8725 §3.1'],
    gain: anybody,
    right: 'Chooses the algorithm itself, and does not let the token choose.',
    expects: 'refuse',
    token: { defect: 'alg_none' },
    mend: algorithms,
  },
  {
    id: 'none-in-other-letters',
    title: 'A token without a signature, with alg nOnE',
    references: ['RFC 8725 §3.1'],
    gain: anybody,
    right: 'Has a list of algorithms that it accepts, and not one of those that it refuses.',
    expects: 'refuse',
    token: { defect: 'alg_none' },
    forge: token =>
      [Buffer.from('{"alg":"nOnE","typ":"at+jwt"}').toString('base64url'), token.split('.')[1], ''].join('.'),
    mend: algorithms,
  },
  {
    id: 'hs256',
    title: 'A token with HS256 and the public key as the secret',
    references: ['RFC 8725 §2.1'],
    gain: anybody,
    right: 'Uses a key only with its own algorithm.',
    expects: 'refuse',
    token: { defect: 'hs256_with_public_key' },
    mend: algorithms,
  },
  {
    id: 'crit',
    title: 'A token with a critical header that nobody knows',
    references: ['RFC 7515 §4.1.11'],
    gain: 'A restriction that the server marks as critical is ignored.',
    right: 'Refuses an extension that it does not understand.',
    expects: 'refuse',
    token: { defect: 'unknown_crit' },
    mend: () => 'Use a library that knows crit, or refuse each token that has it',
  },
];

const kinds: readonly ApiModule[] = [
  {
    id: 'id-token',
    title: 'An ID token',
    references: ['RFC 9068 §4'],
    gain: 'Each app where a user signs in calls the API as that user.',
    right: 'Takes a sign-in for no permission: it looks at typ, and not at aud alone.',
    expects: 'refuse',
    token: { type: 'id' },
    mend: wanted => `Ask for the typ of access tokens: jose typ: 'at+jwt'. ${audienceLine(wanted)}`,
  },
  {
    id: 'refresh-token',
    title: 'A refresh token',
    references: ['RFC 6749 §1.5', 'RFC 7662 §4'],
    gain: 'A refresh token, which lives for weeks, calls the API.',
    right: 'Refuses it. An API that asks the introspection endpoint looks at the type of the token.',
    expects: 'refuse',
    async run({ call, issuer }) {
      const made = await issuer.mint({ type: 'refresh' }).catch(whyNone);
      return typeof made === 'string' ? call(issuer.callWith(made)) : made;
    },
    mend: () => 'Send token_type_hint=access_token, and refuse a token whose token_type is not Bearer or DPoP',
  },
  {
    id: 'typ-jwt',
    title: 'An access token with the typ JWT',
    references: ['RFC 9068 §4', 'RFC 8725 §3.11'],
    gain: 'A token of another kind, which happens to have the right aud, calls the API.',
    right: 'Requires the typ at+jwt.',
    expects: 'refuse',
    otherwise: 'warn', // many providers write JWT
    token: { defect: 'wrong_type' },
    mend: () => 'Ask for the typ of access tokens: jose typ: \'at+jwt\', ASP.NET ValidTypes = ["at+jwt"]',
  },
  {
    id: 'scope',
    title: 'A good token without the scope',
    references: ['RFC 6750 §3.1'],
    gain: 'An app with few permissions does what it was not given.',
    right: 'Asks for the scope of the call, with 403 and the name of the scope.',
    expects: 'forbid',
    token: { scope: '' },
    needs: 'scope',
    mend: scopeLine,
  },
  {
    id: 'scope-part',
    title: 'A good token with a scope that only begins like the right one',
    references: ['RFC 6749 §3.3', 'RFC 6750 §3.1'],
    gain: 'An app with one scope has all whose names are a part of it.',
    right: 'Splits scope at its spaces and compares whole names.',
    expects: 'forbid',
    token: ({ scope }) => ({ scope: `${scope}-nothing` }),
    needs: 'scope',
    mend: ({ scope }) => `Compare whole names: scope.split(' ').includes('${scope}'), not scope.includes('${scope}')`,
  },
  {
    id: 'certificate-bound',
    title: 'A token bound to a certificate, sent without that certificate',
    references: ['RFC 8705 §3'],
    gain: 'Somebody who has read a token in a log calls the API with it, although it is bound to a certificate.',
    right: 'Compares cnf.x5t#S256 with the certificate of the connection.',
    expects: 'refuse',
    otherwise: 'warn', // an API that has never heard of RFC 8705 ignores the claim
    token: { claims: { cnf: { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' } } },
    mend: () => 'Refuse a token with cnf unless the binding was checked, or let no app get such tokens for this API',
  },
];

const rotated: ApiModule = {
  id: 'rotated',
  title: 'A good token after the keys were rotated',
  references: ['RFC 7517 §5', 'OIDC Core §10.1.1'],
  gain: 'Nobody can call the API after a rotation until it is started again.',
  right: 'Fetches the keys again when it meets an unknown kid.',
  expects: 'accept',
  needs: 'rotation',
  mend: ({ jwksUri }) =>
    `Fetch the keys from ${jwksUri} when a kid is unknown, not only at the start: jose createRemoteJWKSet`,
};

/** APIs that take access tokens as JWTs. */
export const resourceServer = {
  id: 'resource-server',
  title: 'API',
  about:
    'For each API that takes access tokens: it is called with good and with bad ones. It needs an address that answers to GET.',
  modules: [
    good,
    ...calls,
    ...times,
    ...names,
    ...signatures,
    ...forgedModules,
    ...kinds,
    ...dpopModules,
    rotated,
    ...keyModules,
  ],
} as const;

/** The module of a name. */
export function apiModule(id: string): ApiModule {
  const module = resourceServer.modules.find(each => each.id === id);
  if (module === undefined) throw new TypeError(`the plan resource-server has no module ${id}`);
  return module;
}
