import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import type { Handler } from '../../../server/http/request-context.ts';
import type { ManagementCall } from '../../management/call.ts';
import { entryUnknown } from '../../management/refusals.ts';
import { createManagement } from '../../management/router.ts';
import { createStableIds } from '../../management/stable-id.ts';
import { authenticate } from './access.ts';
import { clientPartCalls } from './client-parts.ts';
import { clientCalls } from './clients.ts';
import { adminErrors } from './errors.ts';
import { groupCalls } from './groups.ts';
import { mapperCalls } from './mappers.ts';
import { masterCalls } from './master.ts';
import { partialImportCall } from './partial-import.ts';
import type { Realm } from './realm.ts';
import { realmCalls, realmListCall, serverInfoCall } from './realms.ts';
import { roleCalls } from './role-calls.ts';
import { scopeCalls } from './scopes.ts';
import { createState } from './state.ts';
import { userActionCalls } from './user-actions.ts';
import { userCalls } from './users.ts';

/** The calls below `/admin/realms/{realm}`. */
const callsOfRealm: readonly ManagementCall<Realm>[] = [
  ...realmCalls,
  partialImportCall,
  ...userCalls,
  ...userActionCalls,
  ...roleCalls,
  ...groupCalls,
  ...clientCalls,
  ...clientPartCalls,
  ...mapperCalls,
  ...scopeCalls,
];

/** Every call of the admin API and of the realm `master`. */
export const adminCalls: readonly ManagementCall<Realm>[] = [
  ...masterCalls,
  realmListCall,
  serverInfoCall,
  ...callsOfRealm.map(ofRealm),
];

/** The admin REST API of Keycloak 26 for one realm. */
export function createAdminApi(issuer: ManagedIssuer): Handler {
  const realm = realmOf(issuer);
  return createManagement({
    title: 'Keycloak',
    issuer,
    calls: adminCalls,
    place: realm,
    form: adminErrors,
    requireNames(names) {
      // RealmsAdminResource.java
      if ((names.realm ?? realm.name) !== realm.name) throw entryUnknown('Realm not found.', names.realm);
    },
    authenticate: request => authenticate(realm, request),
  });
}

function realmOf(issuer: ManagedIssuer): Realm {
  const { server, events, address } = issuer;
  const name = server.dialect?.options.realm ?? '';
  const state = createState(events, server.wallClock() * 1000);
  return {
    ...issuer,
    name,
    state,
    ids: createStableIds(server.issuer, state.ids),
    at: `${address}/admin/realms/${name}`,
  };
}

/** A row with the path of the realm in front. */
function ofRealm(row: ManagementCall<Realm>): ManagementCall<Realm> {
  return { ...row, path: `/admin/realms/{realm}${row.path}` };
}
