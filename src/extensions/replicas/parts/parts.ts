import type { BothHands } from '../../../base/clock.ts';
import { putRules } from '../../../sandbox/control/token-claims.ts';
import type { SharedIssuer } from '../../../sandbox/replica.ts';
import type { SharedPart } from '../shared-part.ts';
import { comparedPart } from './compared-part.ts';
import { faultPart } from './fault-part.ts';
import { mapPart } from './map-part.ts';
import { slowPart, valuePart } from './value-part.ts';

/** Everything that changes in one issuer while it runs, beside its store and its log. */
export function partsOf({ server, collections, clock, faults, extensions }: SharedIssuer): readonly SharedPart[] {
  const { clients, users, scopes, keys } = server;
  return [
    valuePart<BothHands>('clock', clock.hands, clock.put),
    mapPart({
      name: 'scopes',
      map: scopes,
      put: (name, scope) => void (scopes as Map<string, typeof scope>).set(name, scope),
      remove: name => void (scopes as Map<string, unknown>).delete(name),
    }),
    mapPart({
      name: 'clients',
      map: clients,
      put: (_id, client) => {
        clients.replace(client);
        faults.checkAgain();
      },
      remove: id => void clients.discard(id),
    }),
    mapPart({
      name: 'users',
      map: users,
      put: (sub, user) => {
        (users as unknown as Map<string, typeof user>).set(sub, user); // as it is: a visitor stays one
        faults.checkAgain();
      },
      remove: sub => void users.remove(sub),
    }),
    valuePart('collections', () => collections.all, collections.replaceAll),
    valuePart(
      'rules',
      () => server.tokenRules?.templates ?? [],
      rules => putRules(server, rules),
    ),
    slowPart('keys', keys.revision, keys.kept, keys.keep),
    faultPart(faults),
    ...extensions.shared().map(comparedPart),
  ];
}
