import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestLog } from '../http/request-log.ts';
import { reportAsHtml } from '../report/as-html.ts';
import { reportAsJson } from '../report/as-json.ts';
import { reportAsJunit } from '../report/as-junit.ts';
import { issuerReport } from '../report/issuer-report.ts';
import { inTurns } from '../turns/in-turns.ts';
import { type RecordedIssuer, sessionAsHar, sessionAsHtml, sessionOf, sessionSuite } from './session-files.ts';

/** One of several issuers. */
export interface ReportedInFolder extends RecordedIssuer {
  /** Below the folder; empty for the first issuer. */
  readonly path: string;
}

/**
 * Writes what is known of an issuer that has ended into its folder, which is made where it is not there: the client report, the
 * flows among its test cases, and the session itself. What cannot be made or written is a line of the log, and no error; the
 * other files are written all the same.
 */
export async function writeReport(
  folder: string,
  { path, ...issuer }: ReportedInFolder,
  log: Pick<RequestLog, 'fault'>,
): Promise<void> {
  const into = join(folder, ...path.split('/'));
  const tell = (what: string) => (error: unknown) => log.fault(...lineOf(what, into, error));
  const isMade = await mkdir(into, { recursive: true }).then(
    () => true,
    error => tell('the report')(error),
  );
  if (isMade !== true) return;
  for (const [name, make] of Object.entries(filesOf(issuer))) {
    await make()
      .then(text => writeFile(join(into, name), text))
      .catch(tell(name));
  }
}

/** By name. Each is made by itself: one that fails takes no other with it. */
function filesOf(issuer: RecordedIssuer): Readonly<Record<string, () => Promise<string>>> {
  const report = once(() => issuerReport(issuer, { isOver: true }));
  const session = once(() => sessionOf(issuer));
  return {
    'report.html': async () => inTurns(reportAsHtml(await report())),
    'report.json': async () => inTurns(reportAsJson(await report())),
    'report.xml': async () => {
      const flows = await inTurns(sessionSuite(session(), issuer));
      return inTurns(reportAsJunit(await report(), 'fail', [flows]));
    },
    'session.har': async () => sessionAsHar(session()),
    'session.html': () => sessionAsHtml(session(), issuer),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function lineOf(what: string, folder: string, error: unknown): [facts: object, message: string] {
  const reason = error instanceof Error ? error.message : String(error);
  const advice = 'Name a folder that this process may write to, or one that it may make.';
  return [{ folder, reason }, `REPORT_DIR: ${what} is not written to ${folder}: ${reason}. ${advice}`];
}
