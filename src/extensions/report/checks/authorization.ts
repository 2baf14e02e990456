import { type Check, counted, found, notApplicable, passed, refusalCheck, silenceCheck } from '../check.ts';
import type { ClientRun } from '../client-run.ts';

// Checks of authorization requests and of the codes they return.

const loginCount = ({ logins }: ClientRun, words: string) =>
  logins.length === 0 ? undefined : `${counted(logins.length, 'sign-in')}, ${words}`;
const noLogin = 'The client sent no authorization request.';
const noCode = 'The client received no code.';
const codesOf = ({ issued }: ClientRun) => issued.filter(({ type }) => type === 'code.issued');
const codeCount = (run: ClientRun, words: string) => {
  const codes = codesOf(run).length;
  return codes === 0 ? undefined : `${counted(codes, 'code')}, ${words}`;
};

const redirectUriExact = refusalCheck({
  id: 'redirect_uri_exact',
  title: 'Each redirect_uri is registered',
  failed: 'The client sent a redirect_uri that is not registered',
  references: ['RFC 6749 §3.1.2.3', 'RFC 9700 §2.1'],
  reasons: ['redirect_uri_not_registered', 'redirect_uri_mismatch', 'redirect_uri_missing', 'redirect_uri_unusable'],
  verdict: 'fail',
  good: run => loginCount(run, 'none refused for its redirect_uri.'),
  absent: noLogin,
  advice: 'The server compares redirect_uri character by character. The token request must repeat it.',
});

const redirectUriRepeated: Check = {
  id: 'redirect_uri_repeated',
  title: 'Each token request repeats the redirect_uri of its sign-in',
  failed: 'A token request left out the redirect_uri of its sign-in',
  references: ['RFC 6749 §4.1.3'],
  look(run) {
    const named = run.finished.filter(login => login.value('redirect_uri') !== undefined);
    const codes = new Set(named.flatMap(({ request }) => request.fact('code.issued')?.token ?? []));
    const redeemed = run.at('token').filter(request => codes.has(request.value('code') ?? ''));
    if (redeemed.length === 0) return notApplicable('The client redeemed no code of a sign-in with a redirect_uri.');
    const without = redeemed.filter(request => request.value('redirect_uri') === undefined);
    if (without.length === 0)
      return passed(`${counted(redeemed.length, 'code')}, each redeemed with its redirect_uri.`);
    const why = `${counted(without.length, 'code')} came without the redirect_uri of the sign-in. OAuth 2.1 allows that with PKCE, and so does this server; Auth0, Entra ID, Google, Keycloak and other servers refuse it. Send the same redirect_uri again.`;
    return found('warn', why, without);
  },
};

const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/?]|$)/;

const redirectUriSafe: Check = {
  id: 'redirect_uri_https',
  title: 'Codes and tokens go only to https, loopback or an app',
  failed: 'A code or token went to a plain http address',
  references: ['RFC 6749 §3.1.2.1', 'RFC 9700 §2.6'],
  look({ finished }) {
    if (finished.length === 0) return notApplicable('No sign-in of this client succeeded.');
    const open = finished.filter(login => {
      const uri = login.value('redirect_uri') ?? login.request.fact('code.issued')?.redirect_uri ?? '';
      return uri.startsWith('http:') && !loopback.test(uri);
    });
    if (open.length === 0) return passed(`${counted(finished.length, 'response')}, none sent over plain http.`);
    const why = `${counted(open.length, 'response')} went to a plain http address that is not on this machine, so anybody on the network can read the code.`;
    return found(
      'warn',
      why,
      open.map(({ request }) => request),
    );
  },
};

const noImplicit: Check = {
  id: 'no_implicit',
  title: 'No access token from the authorization endpoint',
  failed: 'The client requested an access token from the authorization endpoint',
  references: ['RFC 9700 §2.1.2', 'OAuth 2.1 §10.1'],
  look({ logins }) {
    if (logins.length === 0) return notApplicable(noLogin);
    const implicit = logins.filter(login => login.value('response_type')?.split(' ').includes('token') === true);
    if (implicit.length === 0) return passed(`${counted(logins.length, 'sign-in')}, none of them implicit.`);
    const why = `${counted(implicit.length, 'sign-in')} requested an access token in the callback URL. Request a code, with PKCE.`;
    return found(
      'fail',
      why,
      implicit.map(({ request }) => request),
    );
  },
};

const codeRedeemed = silenceCheck({
  id: 'code_redeemed',
  title: 'Each code is redeemed',
  failed: 'A code was never redeemed',
  references: ['RFC 6749 §4.1.3'],
  detector: 'code_not_redeemed',
  verdict: 'warn',
  advice: 'The callback page did not run, or the user left during the sign-in.',
  good: run => codeCount(run, 'all redeemed.'),
  absent: noCode,
});

const codeOnce = refusalCheck({
  id: 'code_once',
  title: 'Each code is redeemed only once',
  failed: 'A code was redeemed twice',
  references: ['RFC 6749 §4.1.2', 'RFC 6749 §10.5'],
  reasons: ['code_replayed', 'code_of_another_client'],
  verdict: 'fail',
  good: run => codeCount(run, 'none redeemed twice.'),
  absent: noCode,
  advice: 'Make sure that the callback runs once: if a code is used twice, the server revokes all its tokens.',
});

const codeSoon = refusalCheck({
  id: 'code_in_time',
  title: 'Each code is redeemed before it expires',
  failed: 'The client sent an expired or unknown code',
  references: ['RFC 6749 §4.1.2'],
  reasons: ['code_expired_or_unknown'],
  verdict: 'fail',
  good: run => codeCount(run, 'none redeemed too late.'),
  absent: noCode,
  advice: 'Redeem a code immediately, complete and unchanged.',
});

const noLoop = silenceCheck({
  id: 'no_redirect_loop',
  title: 'Each sign-in ends in the app',
  failed: 'A sign-in was caught in a redirect loop',
  references: ['RFC 6749 §4.1'],
  detector: 'redirect_loop',
  verdict: 'warn',
  advice: 'The app does not keep its session after the sign-in.',
  good: run => loginCount(run, 'none in a loop.'),
  absent: noLogin,
});

const pushed: Check = {
  id: 'pushed_requests',
  title: 'Pushed authorization requests (information)',
  failed: 'An authorization request was not pushed',
  references: ['RFC 9126 §4', 'RFC 9700 §2.1'],
  reasons: ['request_not_pushed'],
  look(run) {
    const refused = run.refusals.filter(({ error }) => error.reason === 'request_not_pushed');
    const requests = refused.flatMap(({ request }) => request ?? []);
    if (refused.length > 0)
      return found(
        'fail',
        'The client is registered to push its authorization requests, but sent one through the browser.',
        requests,
      );
    const count = run.logins.filter(({ isPushed }) => isPushed).length;
    return count === 0
      ? notApplicable('The client does not push its authorization requests.')
      : passed(`${count} of ${counted(run.logins.length, 'sign-in')} pushed.`);
  },
};

/** Checks of authorization requests and codes, in the order of the report. */
export const authorizationChecks: readonly Check[] = [
  redirectUriExact,
  redirectUriRepeated,
  redirectUriSafe,
  noImplicit,
  codeRedeemed,
  codeOnce,
  codeSoon,
  noLoop,
  pushed,
];
