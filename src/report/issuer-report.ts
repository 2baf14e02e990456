import type { EventLog } from '../events/event-log.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { clientReport, type ReportOptions } from './client-report.ts';
import type { ClientReport } from './report.ts';

/** An issuer, as far as a report needs it. */
export interface ReportedIssuer {
  readonly server: AuthorizationServer;
  readonly events: EventLog;
  readonly config: Pick<ReportOptions, 'recording'> & {
    readonly collections: NonNullable<ReportOptions['collections']>;
  };
}

/** The report of a running issuer, or of one that has just ended (`isOver`). */
export function issuerReport(
  { server, events, config }: ReportedIssuer,
  options: Pick<ReportOptions, 'client' | 'isOver'> = {},
): ClientReport {
  const { issuer, clock, clients, users, scopes } = server;
  const { recording, collections } = config;
  return clientReport({
    ...{ events, issuer, clock, recording, collections, endpoints: [], scopes: [...scopes.values()] },
    ...{ base: new URL(issuer).pathname.replace(/\/$/, ''), ...options },
    registered: () => clients.values(),
    accounts: () => users.values(),
  });
}
