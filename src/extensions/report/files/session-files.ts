import type { TextPieces } from '../../../base/turns.ts';
import { inTurns, type Pieces, type Turns } from '../../../base/turns.ts';
import { sessionPage } from '../../../dashboard/exports/session-page.ts';
import { templatesFolder, version } from '../../../package.ts';
import { type Export, exportSession } from '../../../record/flows/exports/export.ts';
import { asHar } from '../../../record/flows/exports/har.ts';
import { createFlowIndex } from '../../../record/flows/flow-index.ts';
import type { IssuerConfig } from '../../../sandbox/config/config.ts';
import { listed } from '../../../server/http/route.ts';
import { endpointRoutes } from '../../../server/http/routes.ts';
import { createViews } from '../../../server/http/views.ts';
import { flowSuite } from '../flow-cases.ts';
import { knownOf, type ReportedIssuer } from '../issuer-report.ts';
import type { JunitSuite } from '../junit-xml.ts';

/** The issuer whose session is written. */
export interface RecordedIssuer extends ReportedIssuer {
  readonly config: ReportedIssuer['config'] & Pick<IssuerConfig, 'label'>;
}

/** Everything recorded about an issuer, without secrets. */
export async function sessionOf({ server, events }: RecordedIssuer, turns: Turns): Promise<Export> {
  const { issuer, clock } = server;
  const index = createFlowIndex(events, clock);
  await inTurns(index.catchUp(), turns);
  const options = { events, issuer, now: clock(), secrets: 'redact' } as const;
  return inTurns(exportSession(index.newestFirst(), options), turns);
}

export function sessionAsHar(exported: Export): TextPieces {
  return asHar(exported, version);
}

/** One self-contained page with all flows and requests. */
export function sessionAsHtml(
  exported: Export,
  { server, events, config }: RecordedIssuer,
  turns: Turns,
): AsyncIterable<string> {
  const { issuer, clock } = server;
  const look = { label: config.label, issuer, base: baseOf(issuer), version, dashboard: false };
  const views = createViews({ templatesFolder, look });
  return sessionPage(exported, { events, issuer, clock }, views.dashboard, turns);
}

/** Each flow as a test case, oldest first. */
export function sessionSuite({ flows, clean }: Export, issuer: RecordedIssuer): Pieces<JunitSuite> {
  const routes = endpointRoutes(issuer.server, baseOf(issuer.server.issuer));
  return flowSuite([...flows].reverse(), { ...knownOf(issuer), endpoints: listed(routes) }, clean);
}

function baseOf(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, '');
}
