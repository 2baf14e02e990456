import type { MintRequest } from '../../sandbox/control/mint-request.ts';

/** The right answer of an API: 2xx, 401 with `invalid_token`, 401 without an error code, or 403. */
type Expectation = 'accept' | 'refuse' | 'challenge' | 'forbid';

/** A call of an API with a good token, or with one that breaks exactly one rule. */
export interface CaseFacts {
  /** The token or header to send, in words. */
  readonly title: string;
  /** The check that an expected answer proves. */
  readonly proves: string;
  /** `challenge` is for a call without a token (RFC 6750 §3.1), `forbid` for a good token without the scope. */
  readonly expects: Expectation;
  /** The token; a text is sent as it is, and `null` sends none. Absent: a good token. */
  readonly token?: Partial<Pick<MintRequest, 'defect' | 'type' | 'missing' | 'scope'>> | string | null;
  /** The line of an API that keeps the rule, by the values of its issuer. */
  readonly mend?: (wanted: ApiValues) => string;
}

/** The values that belong in the configuration of an API. */
export interface ApiValues {
  readonly issuer: string;
  readonly jwksUri: string;
  readonly audience: string;
  /** The algorithm that signs access tokens, such as `RS256`. */
  readonly alg: string;
  readonly scope: string;
}

const verify = ({ issuer, audience, alg }: ApiValues) =>
  `jose: jwtVerify(token, keys, { issuer: '${issuer}', audience: '${audience}', typ: 'at+jwt', algorithms: ['${alg}'] })`;
const verified = () =>
  'Verify the signature before a claim is read: jose jwtVerify, not decodeJwt; jsonwebtoken verify, not decode';
const algorithms = ({ alg }: ApiValues) =>
  `Name the algorithm: jose algorithms: ['${alg}'], Spring jws-algorithms: ${alg}, ASP.NET ValidAlgorithms = ["${alg}"]`;
const audience = ({ audience: name }: ApiValues) =>
  `Set the audience: jose audience: '${name}', Spring audiences: ${name}, ASP.NET ValidAudience = "${name}"`;

/** All calls, in their order. `rotated` comes after a rotation of the keys, and `scope` needs the name of a scope. */
export const cases = {
  good: {
    title: 'A good token',
    proves: 'The API accepts a good token. It proves nothing alone: an API without any check does so, too.',
    expects: 'accept',
    mend: verify,
  },
  no_token: {
    title: 'No token',
    proves: 'The API asks for a token (RFC 6750 §3).',
    expects: 'challenge',
    token: null,
    mend: () => 'Put the check before the handlers of all routes, not into some of them',
  },
  garbage: {
    title: 'A text that is no token',
    proves: 'The API refuses what it cannot read, and does not fail (RFC 6750 §3.1).',
    expects: 'refuse',
    token: 'not-a-token',
    mend: () => 'Answer 401 where the library throws, not 500',
  },
  expired: {
    title: 'A token that has expired',
    proves: 'The API compares exp with its clock (RFC 7519 §4.1.4).',
    expects: 'refuse',
    token: { defect: 'expired' },
    mend: () => 'Do not switch the check of the lifetime off (ignoreExpiration, ValidateLifetime = false)',
  },
  not_yet_valid: {
    title: 'A token that is valid in an hour',
    proves: 'The API compares nbf with its clock (RFC 7519 §4.1.5).',
    expects: 'refuse',
    token: { defect: 'not_yet_valid' },
    mend: () => 'Compare nbf, with a tolerance of a minute at most',
  },
  audience: {
    title: 'A token for a different API',
    proves: 'The API looks for its own name in aud (RFC 9068 §4).',
    expects: 'refuse',
    token: { defect: 'wrong_audience' },
    mend: audience,
  },
  no_audience: {
    title: 'A token without aud',
    proves: 'The API looks for its own name in aud, and not only for a wrong one (RFC 9068 §4).',
    expects: 'refuse',
    token: { defect: 'missing_claim', missing: 'aud' },
    mend: audience,
  },
  issuer: {
    title: 'A token of a different issuer',
    proves: 'The API compares iss with the one issuer that it trusts (RFC 9068 §4).',
    expects: 'refuse',
    token: { defect: 'wrong_issuer' },
    mend: ({ issuer }) =>
      `Set the issuer: jose issuer: '${issuer}', Spring issuer-uri: ${issuer}, ASP.NET ValidIssuer = "${issuer}"`,
  },
  tampered: {
    title: 'A token that was changed after it was signed',
    proves: 'The API checks the signature (RFC 7515 §5.2).',
    expects: 'refuse',
    token: { defect: 'tampered' },
    mend: verified,
  },
  wrong_key: {
    title: 'A token that a stranger signed under the name of a known key',
    proves: 'The API checks the signature, and not only kid (RFC 7515 §4.1.4).',
    expects: 'refuse',
    token: { defect: 'wrong_key' },
    mend: verified,
  },
  unknown_kid: {
    title: 'A token with an unknown kid',
    proves: 'The API takes no other key for one that it does not find (RFC 7517 §4.5).',
    expects: 'refuse',
    token: { defect: 'unknown_kid' },
    mend: ({ jwksUri }) => `Choose the key by kid from ${jwksUri}, and refuse the token if it is not there`,
  },
  none: {
    title: 'A token without a signature, with alg none',
    proves: 'The API chooses the algorithm, and not the token (RFC 8725 §3.1).',
    expects: 'refuse',
    token: { defect: 'alg_none' },
    mend: algorithms,
  },
  hs256: {
    title: 'A token with HS256 and the public key as the secret',
    proves: 'The API uses a key only with its own algorithm (RFC 8725 §2.1).',
    expects: 'refuse',
    token: { defect: 'hs256_with_public_key' },
    mend: algorithms,
  },
  crit: {
    title: 'A token with a critical header that nobody knows',
    proves: 'The API refuses an extension that it does not understand (RFC 7515 §4.1.11).',
    expects: 'refuse',
    token: { defect: 'unknown_crit' },
    mend: () => 'Use a library that knows crit, or refuse each token that has it',
  },
  id_token: {
    title: 'An ID token',
    proves: 'A sign-in is not a permission. RFC 9068 §4 makes an API look at typ, and not at aud alone.',
    expects: 'refuse',
    token: { type: 'id' },
    mend: wanted => `Ask for the typ of access tokens: jose typ: 'at+jwt'. ${audience(wanted)}`,
  },
  scope: {
    title: 'A good token without the scope',
    proves: 'The API asks for the scope of the call, and says which one (RFC 6750 §3.1).',
    expects: 'forbid',
    token: { scope: '' },
    mend: ({ scope }) =>
      `Ask for the scope: Spring hasAuthority('SCOPE_${scope}'), express-oauth2-jwt-bearer requiredScopes('${scope}')`,
  },
  rotated: {
    title: 'A good token after the keys were rotated',
    proves: 'The API fetches the keys again when it meets an unknown kid.',
    expects: 'accept',
    mend: ({ jwksUri }) =>
      `Fetch the keys from ${jwksUri} when a kid is unknown, not only at the start: jose createRemoteJWKSet`,
  },
} as const satisfies Readonly<Record<string, CaseFacts>>;

/** The name of a case, such as `expired`. */
export type ApiCase = keyof typeof cases;

/** In the order of the table. */
export const apiCases = Object.keys(cases) as readonly ApiCase[]; // the keys of the record above

/** The facts of a case in their general form. */
export function factsOf(name: ApiCase): CaseFacts {
  return cases[name];
}

interface ApiAnswer {
  readonly case: ApiCase;
  /** Absent where there was no answer. */
  readonly status?: number;
  readonly challenge?: string;
  readonly failure?: string;
}

/** A difference between the answer of an API and the right one. */
export interface AnswerFinding {
  /** `form`: the API refused the token, but with a different status or challenge than RFC 6750 says. */
  readonly kind: 'accepted' | 'refused' | 'failed' | 'form';
  /** A sentence. */
  readonly problem: string;
}

/** Explains what is wrong with the answer of an API; undefined for the expected answer. */
export function findingIn(answer: ApiAnswer): AnswerFinding | undefined {
  const { case: name, status, failure } = answer;
  if (status === undefined) return { kind: 'failed', problem: failure ?? 'There was no response.' };
  const { expects } = factsOf(name);
  if (expects === 'accept') return refusalOfGood(name, status);
  const [code, error] = asked[expects];
  const must = `The API must refuse this ${expects === 'challenge' ? 'call' : 'token'} with ${code}, and answered ${status}.`;
  if (status >= 200 && status < 400) return { kind: 'accepted', problem: must };
  if (status >= 500) return { kind: 'failed', problem: must };
  if (status !== code) return { kind: 'form', problem: must };
  const problem = challengeProblem(answer, code, error);
  return problem === undefined ? undefined : { kind: 'form', problem };
}

/** The same, as a sentence. */
export function problemOf(answer: ApiAnswer): string | undefined {
  return findingIn(answer)?.problem;
}

function refusalOfGood(name: ApiCase, status: number): AnswerFinding | undefined {
  if (status >= 200 && status < 300) return undefined;
  const advice = name === 'rotated' ? ` ${rotationAdvice}` : '';
  const kind = status === 401 || status === 403 ? 'refused' : 'failed';
  return { kind, problem: `The API must accept this token with 200, and answered ${status}.${advice}` };
}

function challengeProblem({ challenge = '' }: ApiAnswer, code: number, error: string): string | undefined {
  if (!/^\s*(Bearer|DPoP)(\s|$)/i.test(challenge))
    return `The response has no challenge: a ${code} needs the header WWW-Authenticate: Bearer … (RFC 6750 §3).`;
  const said = /[\s,]error\s*=\s*"?(\w+)"?\s*(,|$)/i.exec(challenge)?.[1] ?? '';
  if (said.toLowerCase() === error) return undefined;
  return error === ''
    ? 'The challenge must have no error, because no token was sent (RFC 6750 §3.1).'
    : `The challenge must say error="${error}" (RFC 6750 §3.1).`;
}

const asked: Readonly<Record<Exclude<Expectation, 'accept'>, readonly [status: number, error: string]>> = {
  refuse: [401, 'invalid_token'],
  challenge: [401, ''],
  forbid: [403, 'insufficient_scope'],
};

const rotationAdvice =
  'Many libraries fetch the keys at most once in 30 seconds: wait, and call again. The keys stay until this call succeeds.';

/** The status that the API should answer. */
export function expectedOf(name: ApiCase): string {
  const { expects } = factsOf(name);
  return expects === 'accept' ? '200' : asked[expects].join(' ').trim();
}

interface TokenVariant {
  readonly token: Pick<MintRequest, 'audience' | 'header'>;
  readonly reason: string;
}

/** Tokens to try at an API that refuses a good one: the one that it accepts says what it expects. */
export function variantsFor(api: URL, client: string, audience: string): readonly TokenVariant[] {
  const audiences = [...new Set([client, api.origin, `${api.origin}/`, api.href])].filter(each => each !== audience);
  return [
    {
      token: { header: { typ: 'JWT' } },
      reason: `The API accepts the token if its typ is JWT. Access tokens have the typ at+jwt (RFC 9068 §2.1): let the API expect that.`,
    },
    ...audiences.map(each => ({
      token: { audience: each },
      reason: `The API accepts the token if its aud is ${each}: give the client audience: '${each}', or let the API expect ${audience}.`,
    })),
  ];
}
