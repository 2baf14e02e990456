import type { IssuedEvent } from '../../base/events/event-log.ts';
import { avatarOf, positionsOf } from '../../base/text/avatar.ts';
import { displayName } from '../../protocol/users/user.ts';
import { rolesOf } from '../claims/claim-values.ts';
import { accountOf, clientPath, registeredClient, userPath } from '../clients-and-users.ts';
import type { DashboardFacts } from '../facts.ts';
import { readableScopes } from '../scope-words.ts';

/** The top line of a token: who, in which app, with which scopes and roles. */
export function tokenAnswer(event: IssuedEvent, context: Pick<DashboardFacts, 'registered' | 'accounts'>) {
  const { sub, client_id, scope } = event;
  const user = sub === undefined ? undefined : accountOf(context, sub);
  const app = registeredClient(context, client_id)?.client_name ?? client_id;
  const name = user === undefined ? (sub ?? app) : displayName(user);
  const avatar = avatarOf(name, sub ?? client_id, positionsOf(context.accounts()));
  const { identity, api } = readableScopes(scope);
  return {
    avatar: sub === undefined ? { ...avatar, initials: '⚙' } : avatar,
    // a client that acts for itself has no user
    who: sub ?? client_id,
    whoPath: sub === undefined ? clientPath(client_id) : userPath(sub),
    note: sub === undefined ? 'acts for itself' : name === sub ? '' : name,
    app,
    appPath: clientPath(client_id),
    // those that open an API, or else those about the user
    scopes: api || identity || 'none',
    allScopes: scope ?? 'none',
    roles: rolesOf(event).join(', '),
  };
}
