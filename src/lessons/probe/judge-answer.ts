import type { ProbeAnswer } from '../../control/lessons.ts';
import { cases } from './cases.ts';

/** Explains what is wrong with the answer of an API; undefined for the expected answer. */
export function problemOf({ case: name, status, challenge = '', failure }: ProbeAnswer): string | undefined {
  if (status === undefined) return failure ?? 'There was no answer.';
  if (cases[name].accepts) {
    if (status >= 200 && status < 300) return undefined;
    const advice = name === 'rotated' ? ` ${rotationAdvice}` : '';
    return `The API must accept this token with 200, and answered ${status}.${advice}`;
  }
  if (status !== 401) return `The API must refuse this token with 401, and answered ${status}.`;
  if (!/^\s*(Bearer|DPoP)(\s|$)/i.test(challenge)) {
    return 'The answer has no challenge: a 401 needs the header WWW-Authenticate: Bearer … (RFC 6750 §3).';
  }
  if (/[\s,]error\s*=\s*"?invalid_token"?\s*(,|$)/i.test(challenge)) return undefined;
  return 'The challenge must say error="invalid_token" (RFC 6750 §3.1).';
}

const rotationAdvice =
  'Many libraries fetch the keys at most once in 30 seconds: wait, and call again. The keys stay until this call succeeds.';

/** The status that the API should answer. */
export function expectedOf(name: ProbeAnswer['case']): string {
  return cases[name].accepts ? '200' : '401 invalid_token';
}
