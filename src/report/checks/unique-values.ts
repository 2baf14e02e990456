import { type Check, counted, found, notApplicable, passed } from '../check.ts';
import type { ClientRun } from '../client-run.ts';
import { hasPkce, type RecordedLogin } from '../login-request.ts';

// Values that belong to one login, and come with several.

/** What differs from login to login where an app does it right, but for the parameter that is looked at. */
function loginOf(login: RecordedLogin, without: string): string {
  const others = ['state', 'nonce', 'code_challenge'].filter(name => name !== without);
  return JSON.stringify([...others.map(name => login.value(name)), login.request.header('cookie')]);
}

/** Logins of one client that have a value in common which belongs to one login. */
function reused({ finished }: Pick<ClientRun, 'finished'>, name: string): readonly RecordedLogin[] {
  const byValue = new Map<string, RecordedLogin[]>();
  for (const login of finished) {
    const value = login.value(name);
    if (value === undefined) continue;
    const alike = byValue.get(value);
    if (alike === undefined) byValue.set(value, [login]);
    else alike.push(login);
  }
  return [...byValue.values()].filter(all => new Set(all.map(each => loginOf(each, name))).size > 1).flat();
}

function uniqueCheck(check: Omit<Check, 'look'> & { readonly parameter: string; readonly advice: string }): Check {
  const { parameter, advice, ...described } = check;
  return {
    ...described,
    look(run) {
      const sent = run.finished.filter(login => login.value(parameter) !== undefined);
      if (sent.length === 0) return notApplicable(`No login that succeeded came with ${parameter}.`);
      const again = reused(run, parameter);
      if (again.length === 0) return passed(`Each of ${counted(sent.length, 'login')} had a ${parameter} of its own.`);
      return found(
        'fail',
        `${again.length} logins share a ${parameter}. ${advice}`,
        again.map(({ request }) => request),
      );
    },
  };
}

export const challengeUnique = uniqueCheck({
  id: 'pkce_unique',
  title: 'A new code_verifier for each login',
  failed: 'A code_challenge was used for more than one login',
  references: ['RFC 7636 §4.1', 'RFC 7636 §7.1'],
  parameter: 'code_challenge',
  advice: 'Make a new verifier of 256 random bits for each login.',
});

export const nonceUnique = uniqueCheck({
  id: 'nonce_unique',
  title: 'A new nonce for each login',
  failed: 'A nonce was used for more than one login',
  references: ['OIDC Core §3.1.2.1', 'OIDC Core §15.5.2'],
  parameter: 'nonce',
  advice: 'A nonce that comes twice tells no replayed ID Token from a fresh one.',
});

export const stateUnique: Check = {
  id: 'state_unique',
  title: 'A new state for each login',
  failed: 'A state was used for more than one login',
  references: ['RFC 6749 §10.12', 'RFC 9700 §4.7'],
  look(run) {
    const sent = run.finished.filter(login => login.value('state') !== undefined);
    if (sent.length === 0) return notApplicable('No login that succeeded came with state.');
    const again = reused(run, 'state');
    if (again.length === 0) return passed(`Each of ${counted(sent.length, 'login')} had a state of its own.`);
    const isProtected = again.every(login => hasPkce(login));
    const end = isProtected ? 'PKCE protects them all the same.' : 'A fixed value ties the answer to nobody.';
    return found(
      isProtected ? 'warn' : 'fail',
      `${again.length} logins share a state. ${end}`,
      again.map(({ request }) => request),
    );
  },
};
