import { isChallenge, isOrdinary } from '../../../record/problems/on-purpose.ts';
import {
  type Check,
  counted,
  found,
  notApplicable,
  passed,
  refusalCheck,
  refusalsOf,
  requestsOf,
  whyRefused,
} from '../check.ts';
import type { ClientRun, RunRefusal } from '../client-run.ts';
import { authorizationChecks } from './authorization.ts';
import { credentialChecks } from './credentials.ts';
import { loginProtectionChecks } from './login-protection.ts';
import { tokenChecks } from './tokens.ts';

const logoutReasons = ['post_logout_redirect_uri_mismatch', 'hint_invalid'];

const logoutHint: Check = {
  id: 'logout_hint',
  title: 'Logouts send id_token_hint and a registered post_logout_redirect_uri',
  failed: 'A logout request had no id_token_hint',
  references: ['OIDC RP-Initiated Logout §2', 'OIDC RP-Initiated Logout §3'],
  reasons: logoutReasons,
  look(run) {
    const refused = refusalsOf(run, logoutReasons);
    const advice = 'Register the post_logout_redirect_uri, and send the ID token of this sign-in.';
    if (refused.length > 0) return found('fail', whyRefused(refused, advice), requestsOf(refused));
    const logouts = run.at('end_session');
    if (logouts.length === 0) return notApplicable('The client sent no logout request.');
    const bare = logouts.filter(request => request.value('id_token_hint') === undefined);
    if (bare.length === 0) return passed(`${counted(logouts.length, 'logout')}, each with an id_token_hint.`);
    const why = `${bare.length} of ${counted(logouts.length, 'logout')} came without id_token_hint. Such a request could come from anybody, so the user has to confirm it.`;
    return found(
      'warn',
      why,
      bare.map(request => request),
    );
  },
};

const polling = refusalCheck({
  id: 'polls_patiently',
  title: 'The client polls no faster than the interval allows',
  failed: 'The client polled too fast',
  references: ['RFC 8628 §3.5', 'OIDC CIBA §7.3'],
  reasons: ['polled_too_fast', 'rate_limited'],
  verdict: 'warn',
  good: run => {
    const polls = run.at('token').filter(({ form }) => form.has('device_code') || form.has('auth_req_id')).length;
    return polls === 0 ? undefined : `${counted(polls, 'poll')}, none too early.`;
  },
  absent: 'The client did not poll.',
  advice: 'Wait `interval` seconds between two polls, and five seconds longer after slow_down.',
});

const parametersKnown: Check = {
  id: 'parameters_known',
  title: 'No parameter was ignored',
  failed: 'A parameter was ignored',
  references: ['RFC 6749 §3.1', 'RFC 6749 §3.2'],
  look(run) {
    const asked = run.requests.filter(request => request.fact(...askingEvents) !== undefined);
    if (asked.length === 0) return notApplicable('The client requested no sign-in and no token.');
    const names = new Set<string>();
    const odd = asked.filter(({ facts }) => {
      const ignored = facts.flatMap(fact => ('ignored' in fact ? fact.ignored : []));
      for (const name of ignored) names.add(name);
      return ignored.length > 0;
    });
    if (odd.length === 0) return passed(`${counted(asked.length, 'request')}, no parameter ignored.`);
    const why = `${counted(odd.length, 'request')} had parameters that this server ignores: ${[...names].slice(0, 10).join(', ')}. Check them for typing errors, and for parameters that only a different server supports.`;
    return found('warn', why, odd);
  },
};

const askingEvents = [
  'authorization.requested',
  'authorization.pushed',
  'token.requested',
  'device.requested',
  'ciba.requested',
] as const;

/** Checks of logout, polling and parameters, in the order of the report. */
const endingChecks: readonly Check[] = [logoutHint, polling, parametersKnown];

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
