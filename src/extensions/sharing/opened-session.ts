import type { DashboardFacts, OpenedRecord } from '../../dashboard/facts.ts';
import { templatesFolder } from '../../package.ts';
import { createViews } from '../../server/http/views.ts';
import { recordedFlows } from './recorded-flows.ts';
import { type RecordedLog, recordedLog } from './recorded-log.ts';
import { foundProblems, recordedProblems } from './recorded-problems.ts';
import type { FileSession } from './session-schema.ts';

/** A recorded session: its record, and the facts that pages show in place of those of an issuer. */
export interface OpenedSession {
  readonly record: OpenedRecord;
  show(facts: DashboardFacts): DashboardFacts;
}

/** The pages of the session in a file, and the record that they read. `name` is the name of the file, as typed. */
export function openedSession(name: string, session: FileSession): OpenedSession {
  const log = recordedLog(session);
  const { issuer, exportedAt } = session;
  const record: OpenedRecord = {
    file: name,
    advice: 'Run npx grantbox reproduce with the file to repeat the session in a sandbox.',
    recordedAt: exportedAt,
    flows: recordedFlows(session.flows.map(flow => ({ ...flow, lastEventId: log.placeOf(flow.lastEventId) }))),
    problems: problemsOf(session, log),
  };
  const show = (facts: DashboardFacts): DashboardFacts => {
    const { label, base, version, mint: _, ...others } = facts;
    const look = { label, issuer, base, version, dashboard: true };
    return {
      ...others,
      ...{ label, base, version, issuer, iss: issuer, events: log.events, opened: record },
      views: createViews({ templatesFolder, look }),
      recording: true,
      verify: async () => ({ ok: false, why: 'a recorded session has no keys, and exports leave signatures out' }),
    };
  };
  return { record, show };
}

/** A file of an older version has no problems. They are found again, as far as redacted values allow. */
function problemsOf({ problems, issuer, exportedAt }: FileSession, { events, placeOf }: RecordedLog) {
  if (problems !== undefined)
    return recordedProblems(problems.map(each => ({ ...each, lastEventId: placeOf(each.lastEventId) })));
  return foundProblems(events, issuer, exportedAt);
}
