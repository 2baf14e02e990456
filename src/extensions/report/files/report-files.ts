import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lazily } from '../../../base/lazily.ts';
import { inTurns, type Turns, textInTurns } from '../../../base/turns.ts';
import type { RequestLog } from '../../../server/http/log/request-log.ts';
import { reportAsHtml } from '../as-html.ts';
import { reportAsJson } from '../as-json.ts';
import { reportAsJunit } from '../as-junit.ts';
import { issuerReport } from '../issuer-report.ts';
import { type RecordedIssuer, sessionAsHar, sessionAsHtml, sessionOf, sessionSuite } from './session-files.ts';

/** An issuer, if there are several. */
export interface ReportedInFolder extends RecordedIssuer {
  /** Below the folder; empty for the first issuer. */
  readonly path: string;
}

/**
 * Writes the report of an ended issuer into its folder, which is created if needed: the client report, the flows as its
 * test cases, and the session. A failure is logged and not thrown, and the other files are still written. Each file is
 * written completely or not at all. Files left out because the `signal` of `turns` aborted are logged too.
 */
export async function writeReport(
  folder: string,
  { path, ...issuer }: ReportedInFolder,
  log: Pick<RequestLog, 'fault'>,
  turns: Turns,
): Promise<void> {
  const into = join(folder, ...path.split('/'));
  const tell = (what: string) => (error: unknown) => log.fault(...lineOf(what, into, error));
  const isMade = await mkdir(into, { recursive: true }).then(
    () => true,
    error => tell('the report')(error),
  );
  if (isMade !== true) return;
  const late: string[] = [];
  for (const [name, make] of Object.entries(filesOf(issuer, turns))) {
    if (turns.signal?.aborted !== true)
      await make()
        .then(text => writeWhole(join(into, name), text, turns.signal))
        .catch(error => (turns.signal?.aborted === true ? undefined : tell(name)(error)));
    if (turns.signal?.aborted === true) late.push(name);
  }
  if (late.length > 0) log.fault(...lateLine(late, into));
}

/**
 * Writes to a temporary name and renames the file, so that neither a reader nor the end of the process leaves half a
 * file.
 */
async function writeWhole(path: string, text: AsyncIterable<string>, signal: AbortSignal | undefined): Promise<void> {
  const unfinished = `${path}.unfinished`;
  try {
    await writeFile(unfinished, text, signal === undefined ? {} : { signal });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** The files by name. Each is made separately, so that a failure does not affect the others. */
function filesOf(issuer: RecordedIssuer, turns: Turns): Readonly<Record<string, () => Promise<AsyncIterable<string>>>> {
  const { get: report } = lazily(() => issuerReport(issuer, { isOver: true }, turns));
  const { get: session } = lazily(() => sessionOf(issuer, turns));
  return {
    'report.json': async () => textInTurns(reportAsJson(await report()), turns),
    'report.html': async () => reportAsHtml(await report(), turns),
    'report.xml': async () => {
      const flows = await inTurns(sessionSuite(await session(), issuer), turns);
      return textInTurns(reportAsJunit(await report(), 'fail', [flows]), turns);
    },
    'session.har': async () => textInTurns(sessionAsHar(await session()), turns),
    'session.html': async () => sessionAsHtml(await session(), issuer, turns),
  };
}

function lineOf(what: string, folder: string, error: unknown): [facts: object, message: string] {
  const reason = error instanceof Error ? error.message : String(error);
  const advice = 'Set REPORT_DIR to a folder that this process can create or write to.';
  return [{ folder, reason }, `REPORT_DIR: ${what} could not be written to ${folder}: ${reason}. ${advice}`];
}

function lateLine(names: readonly string[], folder: string): [facts: object, message: string] {
  const advice = 'Get the report before the stop (grantbox report), or keep a shorter history (HISTORY_SIZE).';
  return [
    { folder, names },
    `REPORT_DIR: the server stopped before it could write ${names.join(', ')} to ${folder}. ${advice}`,
  ];
}
