import type { Request, Response, Router } from 'express';
import { inTurns } from '../../base/turns/in-turns.ts';
import { textInTurns } from '../../base/turns/text.ts';
import { type Export, exportFlows, exportRequests, exportSession } from '../../record/flows/exports/export.ts';
import { asHar } from '../../record/flows/exports/har.ts';
import { asJson, asNdjson } from '../../record/flows/exports/json.ts';
import { asMarkdown } from '../../record/flows/exports/markdown.ts';
import { mermaidOf } from '../../record/flows/exports/mermaid.ts';
import { sendText } from '../../server/http/send-text.ts';
import type { Desk } from '../desk.ts';
import { ownOriginOnly } from '../own-origin.ts';
import { sessionPage } from './session-page.ts';
import { problemsIn } from './session-problems.ts';
import { setupOf } from './session-setup.ts';
import { sharedFile } from './shared-file.ts';

/** A file to download. */
interface File {
  readonly extension: string;
  readonly type: string;
  make(exported: Export, desk: Desk): AsyncIterable<string>;
}

const files = {
  json: { extension: 'json', type: 'application/json', make: sessionJson },
  ndjson: { extension: 'ndjson', type: 'application/x-ndjson', make: exported => textInTurns(asNdjson(exported)) },
  har: {
    extension: 'har',
    type: 'application/json',
    make: (exported, desk) => textInTurns(asHar(exported, desk.version)),
  },
  html: {
    extension: 'html',
    type: 'text/html',
    make: (exported, desk) => sessionPage(exported, desk, desk.fragment),
  },
  mermaid: {
    extension: 'mmd',
    type: 'text/plain',
    make: (exported, { events }) => textInTurns(mermaidOf(exported, events)),
  },
  markdown: {
    extension: 'md',
    type: 'text/markdown',
    make: (exported, { events }) => textInTurns(asMarkdown(exported, events)),
  },
} satisfies Readonly<Record<string, File>>;

/** `/flows/:id/export/<format>` for one flow, `/export/<format>` for all; secrets are left out unless `?secrets=include`. */
export function exportPages(router: Router, desk: Desk): void {
  // a long history takes a while to write, so links from other sites are refused
  router.use(['/export', '/flows/:id/export', '/problems/:id/export'], ownOriginOnly(desk.events));
  router.get('/flows/:id/export/:format', async (req, res) => {
    const flow = desk.flows.find(req.params.id);
    const file = fileOf(req.params.format);
    if (flow === undefined || file === undefined) return desk.forgotten(res, 'flow');
    const exported = await inTurns(exportFlows([flow], optionsOf(req, desk)));
    await send(res, `grantbox-${flow.id}`, file, { exported, desk });
  });

  router.get('/problems/:id/export/json', async (req, res) => {
    const shared = sharedFile(desk, req.params.id);
    if (shared === undefined) return desk.forgotten(res, 'problem');
    const exported = await inTurns(exportRequests(shared.requestIds, shared.flows, optionsOf(req, desk)));
    await send(res, `grantbox-${shared.id}`, files.json, { exported, desk });
  });

  router.get('/export/:format', async (req, res) => {
    const file = fileOf(req.params.format);
    if (file === undefined) return desk.forgotten(res, 'export');
    const exported = await inTurns(exportSession(desk.flows.newestFirst(), optionsOf(req, desk)));
    await send(res, 'grantbox-session', file, { exported, desk });
  });
}

function fileOf(format: string): File | undefined {
  return new Map<string, File>(Object.entries(files)).get(format);
}

/** The whole model, with everything that `grantbox open` shows and `grantbox reproduce` repeats. */
async function* sessionJson(exported: Export, desk: Desk): AsyncGenerator<string, void, void> {
  const problems = await inTurns(problemsIn(desk, exported));
  const setup = await inTurns(setupOf(desk, exported, await desk.settings()));
  yield* textInTurns(asJson(exported, { problems, setup }));
}

function optionsOf({ query }: Request, { events, issuer, clock }: Desk) {
  const secrets = query.secrets === 'include' ? 'include' : 'redact';
  return { events, issuer, now: clock(), secrets } as const;
}

async function send(
  res: Response,
  name: string,
  { extension, type, make }: File,
  { exported, desk }: { exported: Export; desk: Desk },
): Promise<void> {
  // an attachment, because it quotes untrusted requests and must never render as a page of ours
  res.set('Content-Disposition', `attachment; filename="${name}.${extension}"`);
  await sendText(res.type(`${type}; charset=utf-8`), make(exported, desk));
}
