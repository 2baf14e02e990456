import { authenticationChecks } from './authentication-checks.ts';
import type { Checks } from './check.ts';
import { decisionChecks } from './decision-checks.ts';
import { identityChecks } from './identity-checks.ts';
import { logoutChecks } from './logout-checks.ts';
import { mutualTlsChecks } from './mutual-tls-checks.ts';
import { registrationChecks } from './registration-checks.ts';
import { requestChecks } from './request-checks.ts';
import { resourceChecks } from './resource-checks.ts';
import { responseChecks } from './response-checks.ts';
import { tokenChecks } from './token-checks.ts';

/** What each member of the metadata promises. One that is not in here may not be advertised: a test looks. */
export const checks: Checks = {
  ...identityChecks,
  ...requestChecks,
  ...tokenChecks,
  ...authenticationChecks,
  ...responseChecks,
  ...decisionChecks,
  ...registrationChecks,
  ...resourceChecks,
  ...mutualTlsChecks,
  ...logoutChecks,
};
