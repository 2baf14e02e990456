import { defined } from '../../base/defined.ts';
import type { Emit } from '../../base/events/event.ts';
import { nearestName } from '../../base/text/nearest.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { shorten } from '../../protocol/parameters.ts';
import { findUser } from '../../protocol/users/login-need.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { refusedInput } from './refusal.ts';

/** The issuer that does what a caller asks, and its log. */
export interface AskedIssuer {
  readonly server: AuthorizationServer;
  readonly emit: Emit;
}

/**
 * The user of a `sub`, username or e-mail address.
 * @throws invalid_request that names the member and the user who may be meant
 */
export function knownUser(server: AuthorizationServer, member: string, named: string): TestUser {
  const user = findUser(server, named);
  if (user !== undefined) return user;
  const subs = [...server.users.values()].filter(each => each.isVisitor !== true).map(({ sub }) => sub);
  const nearest = nearestName(named, subs);
  const expected = `a user of this sandbox, such as ${shorten(subs.slice(0, 5).join(', '))}`;
  throw refusedInput([{ member, sent: shorten(named), expected, ...defined({ nearest }) }]);
}
