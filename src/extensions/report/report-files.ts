import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lazily } from '../../base/lazily.ts';
import type { JunitSuite } from '../../base/text/junit-xml.ts';
import { inTurns, type Pieces, type TextPieces, type Turns, textInTurns, turnsUntil } from '../../base/turns.ts';
import { sessionPage } from '../../dashboard/exports/session-page.ts';
import { templatesFolder, version } from '../../package.ts';
import { type Export, exportSession } from '../../record/flows/exports/export.ts';
import { asHar } from '../../record/flows/exports/har.ts';
import { createFlowIndex } from '../../record/flows/flow-index.ts';
import type { Describe } from '../../record/words/event-words.ts';
import { describerOf } from '../../sandbox/added-events.ts';
import type { IssuerConfig } from '../../sandbox/config/config.ts';
import { createControl } from '../../sandbox/control/create-control.ts';
import type { WholePart } from '../../sandbox/extension.ts';
import type { RequestLog } from '../../server/http/log/request-log.ts';
import { listed } from '../../server/http/route.ts';
import { endpointRoutes } from '../../server/http/routes.ts';
import { createViews } from '../../server/http/views.ts';
import { flowSuite } from './flow-cases.ts';
import { issuerReport, knownOf, type ReportedIssuer } from './issuer-report.ts';
import { reportAsHtml, reportAsJson, reportAsJunit } from './report-formats.ts';

/** Writes the client report and the session of issuers that end. `folder` is absolute. */
export function createReporting(folder: string, log: RequestLog): WholePart {
  let writing = Promise.resolve();
  const ending = new AbortController();
  const turns = turnsUntil(ending.signal);
  return {
    /** Queues the report of an issuer. Its path is its subfolder. */
    ended(issuer, path) {
      const { events, server, config, extensions } = issuer;
      writing = writing
        .then(async () => {
          await events.caughtUp();
          const [control, describe] = [createControl(issuer), describerOf(extensions.all)];
          await writeReport(folder, { events, server, config, path, control, describe }, log, turns);
        })
        // nobody waits for the report of an issuer that ends before the sandbox
        .catch(error => log.error(error, 'sandbox'));
    },
    /** Every queued report is written or logged as failed; after the signal no more are written. */
    close(signal) {
      signal.addEventListener('abort', () => ending.abort(signal.reason), { once: true });
      if (signal.aborted) ending.abort(signal.reason);
      return writing;
    },
  };
}

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
  log: Pick<RequestLog, 'failure'>,
  turns: Turns,
): Promise<void> {
  const into = join(folder, ...path.split('/'));
  const tell = (what: string) => (error: unknown) => log.failure(...lineOf(what, into, error));
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
  if (late.length > 0) log.failure(...lateLine(late, into));
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

/** The issuer whose session is written. */
export interface RecordedIssuer extends ReportedIssuer {
  readonly config: ReportedIssuer['config'] & Pick<IssuerConfig, 'label'>;
  readonly describe: Describe;
}

/** Everything recorded about an issuer, without secrets. */
export async function sessionOf({ server, events }: RecordedIssuer, turns: Turns): Promise<Export> {
  const { issuer, clock } = server;
  const index = createFlowIndex(events, clock);
  await inTurns(index.catchUp(), turns);
  const options = { events, issuer, now: clock(), secrets: 'redact' } as const;
  return inTurns(exportSession(index.newestFirst(), options), turns);
}

function sessionAsHar(exported: Export): TextPieces {
  return asHar(exported, version);
}

/** One self-contained page with all flows and requests. */
function sessionAsHtml(
  exported: Export,
  { server, events, config, describe }: RecordedIssuer,
  turns: Turns,
): AsyncIterable<string> {
  const { issuer, clock } = server;
  const look = { label: config.label, issuer, base: baseOf(issuer), version, dashboard: false };
  const views = createViews({ templatesFolder, look });
  return sessionPage(exported, { events, describe, issuer, clock }, views.dashboard, turns);
}

/** Each flow as a test case, oldest first. */
function sessionSuite({ flows, clean }: Export, issuer: RecordedIssuer): Pieces<JunitSuite> {
  const routes = endpointRoutes(issuer.server, baseOf(issuer.server.issuer));
  return flowSuite([...flows].reverse(), { ...knownOf(issuer), endpoints: listed(routes) }, clean);
}

function baseOf(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, '');
}
