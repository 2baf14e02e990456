import type { EventLog } from '../../base/events/event-log.ts';
import type { Turns } from '../../base/turns.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { dropInSentences } from '../../protocol/relaxation.ts';
import type { Known } from '../../record/problems/known.ts';
import { clientReport, type ReportOptions } from './client-report.ts';
import type { ClientReport } from './report.ts';

/** The parts of an issuer that a report reads. */
export interface ReportedIssuer {
  readonly server: AuthorizationServer;
  readonly events: EventLog;
  /** Checks proposed changes; needed only where they are told. */
  readonly control?: Known['control'];
  readonly config: Pick<ReportOptions, 'recording'> & {
    readonly collections: NonNullable<ReportOptions['collections']>;
  };
}

/** Makes the report of a running issuer, or of one that has just ended (`isOver`). */
export function issuerReport(
  issuer: ReportedIssuer,
  options: Pick<ReportOptions, 'client' | 'isOver'> = {},
  turns?: Turns,
): Promise<ClientReport> {
  const relaxations = dropInSentences(issuer.server);
  return clientReport({ ...knownOf(issuer), recording: issuer.config.recording, relaxations, ...options }, turns);
}

/** Collects the data of an issuer that explanations look up. */
export function knownOf({ server, events, control, config: { collections } }: ReportedIssuer): Known {
  const { issuer, iss, clock, clients, users, scopes } = server;
  return {
    events,
    issuer,
    iss,
    clock,
    collections,
    endpoints: [],
    scopes: [...scopes.values()],
    base: new URL(issuer).pathname.replace(/\/$/, ''),
    registered: () => clients.values(),
    accounts: () => users.values(),
    control,
  };
}
