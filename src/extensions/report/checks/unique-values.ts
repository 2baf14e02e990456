import { type Check, counted, found, notApplicable, passed } from '../check.ts';
import { hasPkce, type RecordedLogin } from '../login-request.ts';

// Checks that a value which belongs to one login is not reused in others.

/** The values that a correct app changes for each login, except the parameter under test. */
function loginOf(login: RecordedLogin, without: string): string {
  const others = ['state', 'nonce', 'code_challenge'].filter(name => name !== without);
  return JSON.stringify([...others.map(name => login.value(name)), login.request.header('cookie')]);
}

/** Different logins of one client that share a value of the parameter `name`. */
function reused(finished: readonly RecordedLogin[], name: string): readonly RecordedLogin[] {
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

/** Makes a check that no two logins share this parameter; `judge` says how bad it is that these do. */
function uniqueCheck(
  parameter: string,
  check: Omit<Check, 'look'>,
  judge: (again: readonly RecordedLogin[]) => readonly [verdict: 'warn' | 'fail', advice: string],
): Check {
  return {
    ...check,
    look({ finished }) {
      const sent = finished.filter(login => login.value(parameter) !== undefined);
      if (sent.length === 0) return notApplicable(`No successful login had a ${parameter}.`);
      const again = reused(finished, parameter);
      if (again.length === 0) return passed(`${counted(sent.length, 'login')}, each with its own ${parameter}.`);
      const [verdict, advice] = judge(again);
      const requests = again.map(({ request }) => request);
      return found(verdict, `${again.length} logins share a ${parameter}. ${advice}`, requests);
    },
  };
}

/** The client makes a new PKCE verifier for each login. */
export const challengeUnique = uniqueCheck(
  'code_challenge',
  {
    id: 'pkce_unique',
    title: 'Each login has a new code_verifier',
    failed: 'Several logins used the same code_challenge',
    references: ['RFC 7636 §4.1', 'RFC 7636 §7.1'],
  },
  () => ['fail', 'Generate a new code_verifier of 256 random bits for each login.'],
);

/** The client makes a new nonce for each login. */
export const nonceUnique = uniqueCheck(
  'nonce',
  {
    id: 'nonce_unique',
    title: 'Each login has a new nonce',
    failed: 'Several logins used the same nonce',
    references: ['OIDC Core §3.1.2.1', 'OIDC Core §15.5.2'],
  },
  () => ['fail', 'A reused nonce cannot detect a replayed ID Token.'],
);

/** The client makes a new state for each login. PKCE reduces a reused state to a warning. */
export const stateUnique = uniqueCheck(
  'state',
  {
    id: 'state_unique',
    title: 'Each login has a new state',
    failed: 'Several logins used the same state',
    references: ['RFC 6749 §10.12', 'RFC 9700 §4.7'],
  },
  again =>
    again.every(hasPkce)
      ? ['warn', 'PKCE protects them nevertheless.']
      : ['fail', 'A reused state does not protect against CSRF.'],
);
