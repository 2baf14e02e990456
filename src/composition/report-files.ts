import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestLog } from '../http/request-log.ts';
import { reportAsHtml } from '../report/as-html.ts';
import { reportAsJson } from '../report/as-json.ts';
import { reportAsJunit } from '../report/as-junit.ts';
import { issuerReport, type ReportedIssuer } from '../report/issuer-report.ts';

/** One of several issuers. */
export interface ReportedInFolder extends ReportedIssuer {
  /** Below the folder; empty for the first issuer. */
  readonly path: string;
}

/**
 * Writes `report.html`, `report.json` and `report.xml` of an issuer that has ended into its folder, which is made where it is not
 * there. What cannot be written is a line of the log, and no error.
 */
export async function writeReport(
  folder: string,
  { path, ...issuer }: ReportedInFolder,
  log: Pick<RequestLog, 'fault'>,
): Promise<void> {
  const into = join(folder, ...path.split('/'));
  try {
    const report = issuerReport(issuer, { isOver: true });
    const files = { 'report.html': reportAsHtml, 'report.json': reportAsJson, 'report.xml': reportAsJunit };
    await mkdir(into, { recursive: true });
    for (const [name, write] of Object.entries(files)) await writeFile(join(into, name), write(report));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = 'Name a folder that this process may write to, or one that it may make.';
    log.fault(
      { folder: into, reason },
      `REPORT_DIR: the client report is not written to ${into}: ${reason}. ${advice}`,
    );
  }
}
