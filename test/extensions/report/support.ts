import { clientReport, type ReportOptions } from '../../../src/extensions/report/client-report.ts';
import type { CheckResult, ClientReport } from '../../../src/extensions/report/report.ts';
import type { Sandbox, SandboxConfig } from '../../../src/index.ts';
import { settled } from '../../support/flows.ts';
import { loadConfig } from '../../support/load-config.ts';

/** The report of a running sandbox with this configuration, once everything that was answered is in the log. */
export async function reportOf(
  sandbox: Sandbox,
  config: SandboxConfig,
  options: Partial<ReportOptions> = {},
): Promise<ClientReport> {
  const { clients, scopes, collections } = await loadConfig({ overrides: config });
  await settled(sandbox);
  return clientReport({
    ...{ events: sandbox.events, issuer: sandbox.issuer, iss: sandbox.issuer, base: '', clock: sandbox.clock },
    ...{ scopes, collections, registered: () => clients, accounts: () => [], endpoints: [], recording: true },
    ...options,
  });
}

/** One check of one client; throws where the report has none. */
export function checkOf(report: ClientReport, client_id: string, id: string): CheckResult {
  const check = report.clients.find(each => each.client_id === client_id)?.checks.find(each => each.id === id);
  if (check === undefined)
    throw new Error(`${client_id} has no check ${id}; seen: ${report.clients.map(each => each.client_id)}`);
  return check;
}
