import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { parameter, type RequestParameters } from '../oauth/parameters.ts';
import { findUser } from '../oauth/users/login-need.ts';
import { passwordFits } from '../oauth/users/password.ts';
import type { LoginFacts } from '../oauth/users/session.ts';
import type { TestUser } from '../oauth/users/user.ts';
import type { Refusal } from './pages.ts';

export interface Identification {
  readonly server: AuthorizationServer;
  readonly mode: 'picker' | 'password';
  /** Makes a user of a name nobody is configured under; undefined when it cannot be one. */
  readonly createUser: (typed: string) => TestUser | undefined;
}

/** Who the login form is about, by a click or with a password, or why that is not known. */
export function identifyUser(
  { server, mode, createUser }: Identification,
  form: RequestParameters,
): Pick<LoginFacts, 'user' | 'method'> | Refusal {
  if (mode === 'password') {
    const typed = parameter(form, 'username') ?? '';
    const user = findUser(server, typed);
    const accepted = user !== undefined && passwordFits(user, parameter(form, 'password'));
    return accepted ? { user, method: 'password' } : { notice: 'Wrong username or password.', typed };
  }
  const typed = parameter(form, 'sub')?.trim() ?? '';
  const user = findUser(server, typed) ?? createUser(typed);
  if (user !== undefined) return { user, method: 'click' };
  return { notice: 'Choose a user, or type a subject: 1 to 255 printable ASCII characters.', typed };
}
