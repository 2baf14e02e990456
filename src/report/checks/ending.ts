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

// How it ends, and how patient it is.

const logoutReasons = ['post_logout_redirect_uri_mismatch', 'hint_invalid'];

const logoutHint: Check = {
  id: 'logout_hint',
  title: 'Logout with id_token_hint and a registered way back',
  failed: 'A logout came without id_token_hint',
  references: ['OIDC RP-Initiated Logout §2', 'OIDC RP-Initiated Logout §3'],
  reasons: logoutReasons,
  look(run) {
    const refused = refusalsOf(run, logoutReasons);
    const advice = 'Register the address the browser shall come back to, and send an ID Token of this login.';
    if (refused.length > 0) return found('fail', whyRefused(refused, advice), requestsOf(refused));
    const logouts = run.at('end_session');
    if (logouts.length === 0) return notApplicable('It logged nobody out here.');
    const bare = logouts.filter(request => request.value('id_token_hint') === undefined);
    if (bare.length === 0) return passed(`${counted(logouts.length, 'logout')}, each with an id_token_hint.`);
    const why = `${bare.length} of ${counted(logouts.length, 'logout')} came without id_token_hint: the user is asked, because anybody could have sent that.`;
    return found(
      'warn',
      why,
      bare.map(request => request),
    );
  },
};

const polling = refusalCheck({
  id: 'polls_patiently',
  title: 'It polls no faster than it was told',
  failed: 'It polled too fast',
  references: ['RFC 8628 §3.5', 'OIDC CIBA §7.3'],
  reasons: ['polled_too_fast', 'rate_limited'],
  verdict: 'warn',
  good: run => {
    const polls = run.at('token').filter(({ form }) => form.has('device_code') || form.has('auth_req_id')).length;
    return polls === 0 ? undefined : `${counted(polls, 'poll')}, none too soon.`;
  },
  absent: 'It polled for nothing.',
  advice: 'Wait interval seconds between two requests, and five more after slow_down.',
});

const parametersKnown: Check = {
  id: 'parameters_known',
  title: 'Each parameter means something here',
  failed: 'A parameter was ignored',
  references: ['RFC 6749 §3.1', 'RFC 6749 §3.2'],
  look(run) {
    const asked = run.requests.filter(request => request.fact(...askingEvents) !== undefined);
    if (asked.length === 0) return notApplicable('It asked for nothing.');
    const names = new Set<string>();
    const odd = asked.filter(({ facts }) => {
      const ignored = facts.flatMap(fact => ('ignored' in fact ? fact.ignored : []));
      for (const name of ignored) names.add(name);
      return ignored.length > 0;
    });
    if (odd.length === 0) return passed(`${counted(asked.length, 'request')}, and no parameter was ignored.`);
    const why = `${counted(odd.length, 'request')} had parameters that were ignored: ${[...names].slice(0, 10).join(', ')}. Look for a slip, or for one that another server knows.`;
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

export const endingChecks: readonly Check[] = [logoutHint, polling, parametersKnown];
