import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import type { Handler } from '../../../server/http/request-context.ts';
import type { ManagementCall } from '../../management/call.ts';
import { createManagement } from '../../management/router.ts';
import { apiErrors } from '../api-errors.ts';
import { authenticate } from './access.ts';
import { appCalls } from './apps.ts';
import { claimCalls } from './claims.ts';
import { groupCalls } from './groups.ts';
import { lifecycleCalls } from './lifecycle.ts';
import type { Org } from './org.ts';
import { serverCalls } from './servers.ts';
import { createState } from './state.ts';
import { userCalls } from './users.ts';

/** Every call of the management API, below `/api/v1`. */
export const adminCalls: readonly ManagementCall<Org>[] = [
  ...userCalls,
  ...lifecycleCalls,
  ...groupCalls,
  ...appCalls,
  ...serverCalls,
  ...claimCalls,
].map(row => ({ ...row, path: `/api/v1${row.path}` }));

/** The management API of Okta for the org of one issuer. */
export function createAdminApi(issuer: ManagedIssuer): Handler {
  const { server, events, address } = issuer;
  const org = { ...issuer, state: createState(events, server.clock()), at: `${address}/api/v1` };
  return createManagement({
    title: 'Okta',
    issuer,
    calls: adminCalls,
    place: org,
    form: apiErrors,
    authenticate: (request, req) => authenticate(org, request, req),
  });
}
