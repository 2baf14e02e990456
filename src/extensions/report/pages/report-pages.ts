import type { Request, Response, Router } from 'express';
import { defined } from '../../../base/defined.ts';
import { textInTurns } from '../../../base/turns.ts';
import type { Desk } from '../../../dashboard/desk.ts';
import { ownOriginOnly } from '../../../dashboard/own-origin.ts';
import { textOf } from '../../../dashboard/query.ts';
import { sendText } from '../../../server/http/send-text.ts';
import type { ClientReport } from '../report.ts';
import { reportPage } from './report-page.ts';

/** `/dashboard/report` for all clients, or one with `?client=`; `/dashboard/report/<format>` downloads it. */
export function reportPages(router: Router, desk: Desk): void {
  router.get('/', async (req, res) => {
    const client = textOf(req.query.client);
    const report = await reportOf(desk, client);
    if (!knows(report, client)) return noSuchClient(desk, res);
    const model = reportPage(desk, report, client, pageOf(req));
    const title = client === '' ? 'Report' : `Report: ${client}`;
    await desk.show(res, { template: 'report', title, nav: 'report', model });
  });

  // a long history takes a while to read, so links from other sites are refused
  router.get('/:format', ownOriginOnly(desk.events), async (req: Request<{ format: string }>, res) => {
    const { format } = req.params;
    const file = Object.hasOwn(files, format) ? files[format] : undefined;
    if (file === undefined) return desk.forgotten(res, 'report');
    const client = textOf(req.query.client);
    const report = await reportOf(desk, client);
    if (!knows(report, client)) return noSuchClient(desk, res);
    // an attachment, because it quotes untrusted requests and must never render as a page of ours
    res.set('Content-Disposition', `attachment; filename="grantbox-report.${file.extension}"`);
    await sendText(res.type(`${file.type}; charset=utf-8`), await file.make(report));
  });
}

function pageOf({ query }: Request): number {
  const page = textOf(query.page);
  return /^[1-9]\d{0,4}$/.test(page) ? Number(page) : 1;
}

interface File {
  readonly extension: string;
  readonly type: string;
  make(report: ClientReport): Promise<AsyncIterable<string>>;
}

const files: Readonly<Record<string, File>> = {
  html: {
    extension: 'html',
    type: 'text/html',
    make: async report => (await import('../as-html.ts')).reportAsHtml(report),
  },
  json: {
    extension: 'json',
    type: 'application/json',
    make: async report => textInTurns((await import('../as-json.ts')).reportAsJson(report)),
  },
  junit: {
    extension: 'xml',
    type: 'application/xml',
    make: async report => textInTurns((await import('../as-junit.ts')).reportAsJunit(report)),
  },
};

/** Loads the checks with the first report. */
async function reportOf(desk: Desk, client: string): Promise<ClientReport> {
  const { clientReport } = await import('../client-report.ts');
  const { backchannelUrl } = desk.reach;
  return clientReport({
    ...desk,
    backchannelUrl,
    ...defined({ relaxations: desk.relaxed?.() }),
    ...(client === '' ? {} : { client }),
  });
}

function knows({ clients, unseen }: ClientReport, client: string): boolean {
  return client === '' || clients.length + unseen.length > 0;
}

function noSuchClient(desk: Desk, res: Response): Promise<void> {
  return desk.message(res, 404, {
    title: 'No such client',
    paragraphs: ['No client with this id is registered or has sent a request.'],
    links: [{ href: `${desk.base}/dashboard/report`, name: 'Report of all clients' }],
  });
}
