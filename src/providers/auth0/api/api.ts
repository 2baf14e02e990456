import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import type { Handler } from '../../../server/http/request-context.ts';
import type { ManagementCall } from '../../management/call.ts';
import { createManagement } from '../../management/router.ts';
import { authenticate } from './access.ts';
import { doneWithLimits } from './answers.ts';
import { apiCalls } from './apis.ts';
import { clientCalls } from './clients.ts';
import { apiErrors } from './errors.ts';
import { organizationCalls } from './organizations.ts';
import { otherCalls } from './others.ts';
import { roleCalls } from './roles.ts';
import { createTenant, type Tenant } from './tenant.ts';
import { userCalls } from './users.ts';

/** Every call of the Management API that the sandbox serves. */
export const managementCalls: readonly ManagementCall<Tenant>[] = [
  ...userCalls,
  ...roleCalls,
  ...organizationCalls,
  ...clientCalls,
  ...apiCalls,
  ...otherCalls,
].map(row => ({ ...row, path: `/api/v2${row.path}` }));

/** The Management API of Auth0 for one tenant. */
export function createManagementApi(issuer: ManagedIssuer): Handler {
  const tenant = createTenant(issuer);
  return createManagement({
    title: 'Auth0',
    issuer,
    calls: managementCalls,
    place: tenant,
    form: apiErrors,
    done: doneWithLimits(),
    authenticate: request => authenticate(tenant, request),
  });
}
