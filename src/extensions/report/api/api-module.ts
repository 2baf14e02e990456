import type { JWK } from 'jose';
import type { MintRequest } from '../../../sandbox/control/mint-request.ts';
import type { AskedFault } from '../../../server/faults/fault.ts';
import type { Verdict } from '../report.ts';
import { type ApiAnswer, type ApiCall, isLetIn } from './api-call.ts';

/**
 * The right answer of an API: 2xx, 401 with `invalid_token`, 401 for a DPoP proof (RFC 9449 §7.1), 401 without an error code,
 * or 403.
 */
export type Expectation = 'accept' | 'refuse' | 'refuse proof' | 'challenge' | 'forbid';

/** An issuer that makes tokens for the examination of an API. */
export interface ApiIssuer {
  readonly wanted: ApiValues;
  readonly client: string;
  /** The call of a module. */
  callOf(module: ApiModule): Promise<ApiCall>;
  /** A call with a token, or with none. Default scheme: `Bearer`. */
  callWith(token: string | undefined, scheme?: string, headers?: ApiCall['headers']): ApiCall;
  /** A token like the good one, and what is different in it. */
  mint(different?: Partial<MintRequest>): Promise<string>;
  /** Makes new keys; with `unpublish` the old ones are withdrawn at once. */
  rotate(options?: { readonly unpublish?: boolean }): Promise<void>;
  /** Arms a fault for each request of the keys. */
  disturbKeys(fault: AskedFault): Promise<Disturbance>;
  /** The address of a JWK Set with this key, in the same sandbox and of a different issuer; undefined where there is no other. */
  publishElsewhere(key: JWK): Promise<Elsewhere | undefined>;
  /** True if somebody has fetched the keys, as far as the history goes back. */
  gaveKeys(): Promise<boolean>;
}

/** A fault of the keys. */
export interface Disturbance {
  /** Ends it, and tells which endpoints were asked meanwhile, by the names in events. */
  end(): Promise<ReadonlySet<string>>;
}

/** A JWK Set of a stranger. */
export interface Elsewhere {
  readonly jwksUri: string;
  stop(): Promise<void>;
}

/** The tools of a module that makes its calls itself. */
export interface ApiStage {
  /** The address of the API. */
  readonly url: URL;
  readonly issuer: ApiIssuer;
  /** Calls the API; the result of the module shows the call. Without an answer, `failure` says so. */
  call(call: ApiCall): Promise<ApiAnswer>;
  /** Waits until a library may fetch the keys again. */
  pause(): Promise<unknown>;
}

/** A verdict with its reason. */
export interface ApiJudged {
  /** `inconclusive`: nobody can tell. */
  readonly verdict: Verdict | 'inconclusive';
  /** One or two sentences. */
  readonly why: string;
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

/** The token of a call, as it differs from the good one. A text is sent as it is, and `null` sends none. */
export type AskedToken = Partial<MintRequest> | string | null;

/** A call of an API with a good token, or with one that breaks exactly one rule. */
export interface ApiModule {
  /** `audience` */
  readonly id: string;
  /** The call, as a phrase: `A token for a different API`. */
  readonly title: string;
  /** `RFC 9068 §4` */
  readonly references: readonly string[];
  /** The gain of an attacker, or the loss of a user, if the API does it wrong. One sentence. */
  readonly gain: string;
  /** The deed of a right API. One sentence. */
  readonly right: string;
  readonly expects: Expectation;
  /** The verdict of a wrong answer where the specification only recommends the right one. Default: `fail`. */
  readonly otherwise?: 'warn';
  /** Absent: a good token. */
  readonly token?: AskedToken | ((wanted: ApiValues) => AskedToken);
  /** Changes the token after it was signed. */
  forge?(token: string): string;
  /** How the token is sent. Default: `Authorization: Bearer …`. */
  readonly sent?: 'in the address' | 'with a scheme in small letters';
  /** Makes the calls itself, where one token does not do. The answer is judged, or the module has judged it. */
  run?(stage: ApiStage): Promise<ApiAnswer | ApiJudged>;
  /** Left out without the name of a scope, or without `--rotate`. */
  readonly needs?: 'scope' | 'rotation';
  /** The line of an API that keeps the rule. */
  mend(wanted: ApiValues): string;
}

/** The status and error code that belong to an expectation. */
export const askedStatus: Readonly<Record<Exclude<Expectation, 'accept'>, readonly [status: number, error: string]>> = {
  refuse: [401, 'invalid_token'],
  'refuse proof': [401, 'invalid_dpop_proof'],
  challenge: [401, ''],
  forbid: [403, 'insufficient_scope'],
};

/** The answer that a module expects, in words: `401 invalid_token`. */
export function expectedOf({ expects }: ApiModule): string {
  return expects === 'accept' ? '200' : askedStatus[expects].join(' ').trim();
}

/** A difference between the answer of an API and the right one. */
export interface AnswerFinding {
  /** `form`: the API refused the token, but with a different status or challenge than RFC 6750 says. */
  readonly kind: 'accepted' | 'refused' | 'failed' | 'form';
  /** A sentence. */
  readonly problem: string;
}

/** Explains what is wrong with the answer of an API; undefined for the expected answer. */
export function findingIn(module: ApiModule, answer: ApiAnswer): AnswerFinding | undefined {
  const { status, failure } = answer;
  if (status === undefined) return { kind: 'failed', problem: failure ?? 'There was no response.' };
  const { expects } = module;
  if (expects === 'accept') return refusalOfGood(module, answer);
  const [code, error] = askedStatus[expects];
  const must = `The API must refuse this ${expects === 'challenge' ? 'call' : 'token'} with ${code}, and answered ${status}.`;
  if (status >= 200 && status < 400) return { kind: 'accepted', problem: must };
  if (status >= 500) return { kind: 'failed', problem: must };
  if (status !== code) return { kind: 'form', problem: must };
  const problem = challengeProblem(answer, code, error);
  return problem === undefined ? undefined : { kind: 'form', problem };
}

function refusalOfGood({ needs }: ApiModule, answer: ApiAnswer): AnswerFinding | undefined {
  const { status } = answer;
  if (isLetIn(answer)) return undefined;
  const advice = needs === 'rotation' ? ` ${rotationAdvice}` : '';
  const kind = status === 401 || status === 403 ? 'refused' : 'failed';
  return { kind, problem: `The API must accept this token with 200, and answered ${status}.${advice}` };
}

function challengeProblem({ challenge = '' }: ApiAnswer, code: number, error: string): string | undefined {
  if (!/^\s*(Bearer|DPoP)(\s|,|$)/i.test(challenge))
    return `The response has no challenge: a ${code} needs the header WWW-Authenticate: Bearer … (RFC 6750 §3).`;
  const said = /[\s,]error\s*=\s*"?(\w+)"?\s*(,|$)/i.exec(challenge)?.[1] ?? '';
  const isOfProof = error === 'invalid_dpop_proof' && ['invalid_token', 'use_dpop_nonce'].includes(said.toLowerCase());
  if (said.toLowerCase() === error || isOfProof) return undefined;
  return error === ''
    ? 'The challenge must have no error, because no token was sent (RFC 6750 §3.1).'
    : `The challenge must say error="${error}" (RFC 6750 §3.1).`;
}

const rotationAdvice =
  'Many libraries fetch the keys at most once in 30 seconds: wait, and call again. The keys stay until this call succeeds.';

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
