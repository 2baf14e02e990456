import { expectedName } from '../../../base/text/nearest.ts';
import type { ExamPlan } from '../exam-module.ts';
import { browserApp } from './browser-app.ts';
import { cibaClient } from './ciba-client.ts';
import { fapi2Client } from './fapi2-client.ts';
import { logout } from './logout.ts';
import { mcpClient } from './mcp-client.ts';
import { oauthBcp } from './oauth-bcp.ts';
import { relyingParty } from './relying-party.ts';
import { resilience } from './resilience.ts';

/** All plans, in the order of the list. */
export const plans: readonly ExamPlan[] = [
  relyingParty,
  oauthBcp,
  browserApp,
  resilience,
  logout,
  fapi2Client,
  cibaClient,
  mcpClient,
];

/** @throws TypeError for an unknown name */
export function planNamed(name: string): ExamPlan {
  const plan = plans.find(({ id }) => id === name);
  if (plan !== undefined) return plan;
  const known = plans.map(({ id }) => id);
  throw new TypeError(`examine: found the plan ${name}, expected ${expectedName(name, known)}`);
}
