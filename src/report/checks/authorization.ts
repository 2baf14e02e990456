import { type Check, counted, found, notApplicable, passed, refusalCheck, silenceCheck } from '../check.ts';
import type { ClientRun } from '../client-run.ts';

// What is asked of the authorization endpoint, and what becomes of the code.

const loginCount = ({ logins }: ClientRun, words: string) =>
  logins.length === 0 ? undefined : `${counted(logins.length, 'login')}, ${words}`;
const noLogin = 'It sent no authorization request.';
const noCode = 'It was given no code.';
const codesOf = ({ issued }: ClientRun) => issued.filter(({ type }) => type === 'code.issued');
const codeCount = (run: ClientRun, words: string) => {
  const codes = codesOf(run).length;
  return codes === 0 ? undefined : `${counted(codes, 'code')}, ${words}`;
};

const redirectUriExact = refusalCheck({
  id: 'redirect_uri_exact',
  title: 'redirect_uri as it is registered',
  failed: 'A redirect_uri was sent that is not registered',
  references: ['RFC 6749 §3.1.2.3', 'RFC 9700 §2.1'],
  reasons: ['redirect_uri_not_registered', 'redirect_uri_mismatch', 'redirect_uri_missing', 'redirect_uri_unusable'],
  verdict: 'fail',
  good: run => loginCount(run, 'none refused for its redirect_uri.'),
  absent: noLogin,
  advice: 'It is compared letter by letter, and the token request sends it once more.',
});

const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/?]|$)/;

const redirectUriSafe: Check = {
  id: 'redirect_uri_https',
  title: 'Codes and tokens go to https, loopback or an app',
  failed: 'A code or token went to an address without https',
  references: ['RFC 6749 §3.1.2.1', 'RFC 9700 §2.6'],
  look({ finished }) {
    if (finished.length === 0) return notApplicable('No login of it succeeded.');
    const open = finished.filter(login => {
      const uri = login.value('redirect_uri') ?? login.request.fact('code.issued')?.redirect_uri ?? '';
      return uri.startsWith('http:') && !loopback.test(uri);
    });
    if (open.length === 0) return passed(`${counted(finished.length, 'answer')}, none over a network in the clear.`);
    const why = `${counted(open.length, 'answer')} went to a plain http address that is not on this machine: whoever is on the way reads the code.`;
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
  failed: 'An access token was asked for at the authorization endpoint',
  references: ['RFC 9700 §2.1.2', 'OAuth 2.1 §10.1'],
  look({ logins }) {
    if (logins.length === 0) return notApplicable(noLogin);
    const implicit = logins.filter(login => login.value('response_type')?.split(' ').includes('token') === true);
    if (implicit.length === 0) return passed(`${counted(logins.length, 'login')}, none of them implicit.`);
    const why = `${counted(implicit.length, 'login')} asked for an access token in the address of the callback. Ask for a code, with PKCE.`;
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
  advice: 'The page at the callback did not run, or the login ended half way.',
  good: run => codeCount(run, 'none of them left lying.'),
  absent: noCode,
});

const codeOnce = refusalCheck({
  id: 'code_once',
  title: 'A code is redeemed once',
  failed: 'A code was redeemed twice',
  references: ['RFC 6749 §4.1.2', 'RFC 6749 §10.5'],
  reasons: ['code_replayed', 'code_of_another_client'],
  verdict: 'fail',
  good: run => codeCount(run, 'none sent twice.'),
  absent: noCode,
  advice: 'Guard the callback: all tokens of a code that comes twice are revoked.',
});

const codeSoon = refusalCheck({
  id: 'code_in_time',
  title: 'A code is redeemed before it expires',
  failed: 'An expired or unknown code was redeemed',
  references: ['RFC 6749 §4.1.2'],
  reasons: ['code_expired_or_unknown'],
  verdict: 'fail',
  good: run => codeCount(run, 'none came too late.'),
  absent: noCode,
  advice: 'Redeem it at once, whole, and as it came in the address.',
});

const noLoop = silenceCheck({
  id: 'no_redirect_loop',
  title: 'A login ends in the app',
  failed: 'A login went round in circles',
  references: ['RFC 6749 §4.1'],
  detector: 'redirect_loop',
  verdict: 'warn',
  advice: 'The app does not keep the session it was just given.',
  good: run => loginCount(run, 'none in a circle.'),
  absent: noLogin,
});

const pushed: Check = {
  id: 'pushed_requests',
  title: 'Pushed authorization requests (information)',
  failed: 'A request was not pushed',
  references: ['RFC 9126 §4', 'RFC 9700 §2.1'],
  reasons: ['request_not_pushed'],
  look(run) {
    const refused = run.refusals.filter(({ error }) => error.reason === 'request_not_pushed');
    const requests = refused.flatMap(({ request }) => request ?? []);
    if (refused.length > 0)
      return found('fail', 'It must push its requests, and sent one through the browser.', requests);
    const count = run.logins.filter(({ isPushed }) => isPushed).length;
    return count === 0
      ? notApplicable('It does not push its requests.')
      : passed(`${count} of ${counted(run.logins.length, 'login')} pushed.`);
  },
};

export const authorizationChecks: readonly Check[] = [
  redirectUriExact,
  redirectUriSafe,
  noImplicit,
  codeRedeemed,
  codeOnce,
  codeSoon,
  noLoop,
  pushed,
];
