import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import { parameter, type RequestParameters } from '../../../protocol/parameters.ts';
import { findUser } from '../../../protocol/users/login-need.ts';
import type { LoginFacts } from '../../../protocol/users/session.ts';
import { passwordFits } from '../../../protocol/users/user.ts';
import type { Said } from './language.ts';
import type { RefusedLogin } from './login-again.ts';

export interface Identification {
  readonly server: AuthorizationServer;
  readonly mode: 'picker' | 'password';
}

export const unknownSubject: Said = { word: 'unknownSubject' };

/**
 * The user of a login form, chosen by a click or by a password, or the reason for a refusal. An unknown name becomes a
 * visitor.
 */
export async function identifyUser(
  { server, mode }: Identification,
  form: RequestParameters,
): Promise<Pick<LoginFacts, 'user' | 'method'> | RefusedLogin> {
  if (mode === 'password') {
    const typed = parameter(form, 'username') ?? '';
    const user = findUser(server, typed);
    const accepted = user !== undefined && (await passwordFits(user, parameter(form, 'password')));
    return accepted ? { user, method: 'password' } : { notice: { word: 'wrongPassword' }, typed };
  }
  const typed = parameter(form, 'sub')?.trim() ?? '';
  const user = findUser(server, typed) ?? server.users.create(typed, 'visitor');
  return user === undefined ? { notice: unknownSubject, typed } : { user, method: 'click' };
}
