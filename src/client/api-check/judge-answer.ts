import { type ApiCase, type Expectation, factsOf } from './cases.ts';

/** The answer of an API to one call. */
export interface ApiAnswer {
  readonly case: ApiCase;
  /** Absent where there was no answer. */
  readonly status?: number | undefined;
  /** The header WWW-Authenticate. */
  readonly challenge?: string | undefined;
  /** Why there was no answer. */
  readonly failure?: string | undefined;
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
  if (status === undefined) return { kind: 'failed', problem: failure ?? 'There was no answer.' };
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
    return `The answer has no challenge: a ${code} needs the header WWW-Authenticate: Bearer … (RFC 6750 §3).`;
  const said = /[\s,]error\s*=\s*"?(\w+)"?\s*(,|$)/i.exec(challenge)?.[1] ?? '';
  if (said.toLowerCase() === error) return undefined;
  return error === ''
    ? 'The challenge must have no error, because no token was sent (RFC 6750 §3.1).'
    : `The challenge must say error="${error}" (RFC 6750 §3.1).`;
}

/** The status, and the error of the challenge. */
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
