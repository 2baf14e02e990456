import { isChallenge, isOrdinary } from '../../../record/problems/on-purpose.ts';
import { type Check, found, notApplicable, passed, requestsOf, whyRefused } from '../check.ts';
import type { ClientRun, RunRefusal } from '../client-run.ts';
import { authorizationChecks } from './authorization.ts';
import { credentialChecks } from './credentials.ts';
import { endingChecks } from './ending.ts';
import { loginProtectionChecks } from './login-protection.ts';
import { tokenChecks } from './tokens.ts';

const subjects: readonly Check[] = [
  ...loginProtectionChecks,
  ...authorizationChecks,
  ...credentialChecks,
  ...tokenChecks,
  ...endingChecks,
];

const answeredFor = new Set(subjects.flatMap(({ reasons = [] }) => reasons));

/** Errors that answer a `prompt=none` request: the client asks on purpose whether the user is logged in. */
const silent = new Set(['login_required', 'consent_required', 'acr_unmet']);

const otherRefusals: Check = {
  id: 'no_other_refusal',
  title: 'No other request was refused',
  failed: 'Other requests were refused',
  references: ['RFC 6749 §4.1.2.1', 'RFC 6749 §5.2', 'RFC 6750 §3.1'],
  look(run: ClientRun) {
    const others = run.refusals.filter(isUnexplained);
    if (run.requests.length === 0) return notApplicable('The client sent no request.');
    if (others.length === 0) return passed('No request was refused for a reason that the other checks do not cover.');
    return found('warn', whyRefused(others, 'The dashboard explains each refusal.'), requestsOf(others));
  },
};

function isUnexplained({ error, request }: RunRefusal): boolean {
  if (answeredFor.has(error.reason) || isOrdinary(error) || isChallenge(error)) return false;
  return !silent.has(error.reason) || request?.value('prompt') !== 'none';
}

/** All checks, in the order of the report. */
export const checks: readonly Check[] = [...subjects, otherRefusals];
