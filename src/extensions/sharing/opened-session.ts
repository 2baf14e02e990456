import { templatesFolder } from '../../package.ts';
import type { DashboardOptions, OpenedRecord, OpenedSession } from '../../sandbox/dashboard.ts';
import { createViews } from '../../server/http/views.ts';
import { guard } from './guard.ts';
import { recordedFlows } from './recorded-flows.ts';
import { type RecordedLog, recordedLog } from './recorded-log.ts';
import { foundProblems, recordedProblems } from './recorded-problems.ts';
import type { FileSession } from './session-schema.ts';

/** The pages of the session in a file, and the record that they read. `name` is the name of the file, as typed. */
export function openedSession(name: string, session: FileSession): { opened: OpenedSession; record: OpenedRecord } {
  const log = recordedLog(session);
  const { issuer, exportedAt } = session;
  const record: OpenedRecord = {
    file: name,
    recordedAt: exportedAt,
    flows: recordedFlows(session.flows.map(flow => ({ ...flow, lastEventId: log.placeOf(flow.lastEventId) }))),
    problems: problemsOf(session, log),
  };
  const show = (options: DashboardOptions): DashboardOptions => {
    const { label, base, version, mint: _, ...others } = options;
    const look = { label, issuer, base, version, dashboard: true };
    return {
      ...others,
      ...{ label, base, version, issuer, iss: issuer, events: log.events, opened: record },
      views: createViews({ templatesFolder, look }),
      recording: true,
      verify: async () => ({ ok: false, why: 'a recorded session has no keys, and exports leave signatures out' }),
    };
  };
  return { opened: { show, guard }, record };
}

/** A file of an older version has no problems. They are found again, as far as redacted values allow. */
function problemsOf({ problems, issuer, exportedAt }: FileSession, { events, placeOf }: RecordedLog) {
  if (problems !== undefined)
    return recordedProblems(problems.map(each => ({ ...each, lastEventId: placeOf(each.lastEventId) })));
  return foundProblems(events, issuer, exportedAt);
}
