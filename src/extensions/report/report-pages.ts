import type { Request, Response, Router } from 'express';
import { textInTurns } from '../../base/turns.ts';
import { clientPath } from '../../dashboard/clients-and-users.ts';
import { momentOf } from '../../dashboard/moment.ts';
import { ownOriginOnly } from '../../dashboard/own-origin.ts';
import { linksOn, type PageContext } from '../../dashboard/page.ts';
import { textOf } from '../../dashboard/query.ts';
import { sendText } from '../../server/http/send-text.ts';
import type { CheckResult, ClientReport, ClientScore, Summary, Verdict } from './report.ts';
import { blindSpots, verdictWords } from './report-formats.ts';

/** `/dashboard/report` for all clients, or one with `?client=`; `/dashboard/report/<format>` downloads it. */
export function reportPages(router: Router, context: PageContext): void {
  router.get('/', async (req, res) => {
    const client = textOf(req.query.client);
    const report = await reportOf(context, client);
    if (!knows(report, client)) return noSuchClient(context, res);
    const model = reportPage(context, report, client, pageOf(req));
    const title = client === '' ? 'Report' : `Report: ${client}`;
    await context.show(res, { template: 'report', title, nav: 'report', model });
  });

  // a long history takes a while to read, so links from other sites are refused
  router.get('/:format', ownOriginOnly(context.events), async (req: Request<{ format: string }>, res) => {
    const { format } = req.params;
    const file = Object.hasOwn(files, format) ? files[format] : undefined;
    if (file === undefined) return context.forgotten(res, 'report');
    const client = textOf(req.query.client);
    const report = await reportOf(context, client);
    if (!knows(report, client)) return noSuchClient(context, res);
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
    make: async report => (await import('./report-formats.ts')).reportAsHtml(report),
  },
  json: {
    extension: 'json',
    type: 'application/json',
    make: async report => textInTurns((await import('./report-formats.ts')).reportAsJson(report)),
  },
  junit: {
    extension: 'xml',
    type: 'application/xml',
    make: async report => textInTurns((await import('./report-formats.ts')).reportAsJunit(report)),
  },
};

/** Loads the checks with the first report. */
async function reportOf(context: PageContext, client: string): Promise<ClientReport> {
  const { clientReport } = await import('./client-report.ts');
  const { backchannelUrl } = context.reach;
  return clientReport({
    ...context,
    backchannelUrl,
    relaxations: context.relaxed?.(),
    ...(client === '' ? {} : { client }),
  });
}

function knows({ clients, unseen }: ClientReport, client: string): boolean {
  return client === '' || clients.length + unseen.length > 0;
}

function noSuchClient(context: PageContext, res: Response): Promise<void> {
  return context.message(res, 404, {
    title: 'No such client',
    paragraphs: ['No client with this id is registered or has sent a request.'],
    links: [{ href: `${context.base}/dashboard/report`, name: 'Report of all clients' }],
  });
}

interface Part {
  readonly first: number;
  readonly last: number;
  readonly all: number;
  readonly links: readonly { readonly href: string; readonly name: string }[];
}

interface Badge {
  readonly word: string;
  /** The CSS class. */
  readonly name: string;
}

/** Clients per page. A thousand on one page would be 17 MB and take seconds. */
const mostClients = 10;

/** `page` counts from 1; a number past the end shows the last page. */
function reportPage(context: PageContext, report: ClientReport, client: string, page: number) {
  const { base, clock } = context;
  const now = clock();
  // the report of all clients passes no verdict on an id that nobody has registered: it is mistyped, or was deleted
  const isStranger = ({ type }: ClientScore) => client === '' && type === 'unknown';
  const scores = report.clients.filter(score => !isStranger(score)).sort(worstFirst);
  const strangers = report.clients.filter(isStranger);
  const pages = Math.max(1, Math.ceil(scores.length / mostClients));
  const from = (Math.min(page, pages) - 1) * mostClients;
  const shown = scores.slice(from, from + mostClients);
  return {
    // the `client_id` of a single report; empty for all clients
    client,
    at: momentOf(now, now),
    notes: blindSpots({ ...report, relaxations: [] }), // the top of each page has them
    unseen: report.unseen.map(id => ({ id, href: base + clientPath(id) })),
    strangers: strangers.slice(0, mostClients).map(({ client_id: id, requests }) => ({
      id,
      requests,
      href: `${base}/dashboard/report?${new URLSearchParams({ client: id })}`,
    })),
    moreStrangers: Math.max(0, strangers.length - mostClients),
    clients: shown.map(score => clientView(score, context, now)),
    ...(pages === 1 ? {} : { part: partOf(base, scores.length, from) }),
    links: linksOn(context, 'report'),
    files: Object.entries(fileNames).map(([format, name]) => ({ name, format, href: fileHref(base, format, client) })),
  };
}

function worstFirst({ summary: a }: ClientScore, { summary: b }: ClientScore): number {
  return b.fail - a.fail || b.warn - a.warn;
}

function partOf(base: string, all: number, from: number): Part {
  const page = from / mostClients + 1;
  const link = (name: string, to: number) => ({ name, href: `${base}/dashboard/report?page=${to}` });
  const last = Math.min(all, from + mostClients);
  const links = [...(page > 1 ? [link('Previous', page - 1)] : []), ...(last < all ? [link('Next', page + 1)] : [])];
  return { first: from + 1, last, all, links };
}

const fileNames = { html: 'One HTML file', json: 'JSON', junit: 'JUnit XML' };

function fileHref(base: string, format: string, client: string): string {
  return `${base}/dashboard/report/${format}${client === '' ? '' : `?${new URLSearchParams({ client })}`}`;
}

function clientView(score: ClientScore, context: PageContext, now: number) {
  const { base } = context;
  const { client_id, client_name, type, requests, summary, verdict, checks } = score;
  const of = (...verdicts: readonly Verdict[]) =>
    verdicts.flatMap(wanted => checks.filter(check => check.verdict === wanted));
  const view = (check: CheckResult) => checkView(check, context, now);
  return {
    type,
    requests,
    summary,
    id: client_id,
    name: client_name === client_id ? '' : client_name,
    href: base + clientPath(client_id),
    verdict: badgeOf(verdict),
    // findings that need attention, the worst first
    findings: of('fail', 'warn').map(view),
    others: of('pass', 'not_applicable').map(view),
  };
}

const badgeNames: Readonly<Record<keyof Summary, string>> = {
  fail: 'err',
  warn: 'warn',
  pass: 'ok',
  not_applicable: '',
};

function badgeOf(verdict: Verdict): Badge {
  return { word: verdictWords[verdict], name: badgeNames[verdict] };
}

function checkView({ id, title, verdict, why, references, evidence }: CheckResult, context: PageContext, now: number) {
  return {
    id,
    title,
    why,
    references,
    badge: badgeOf(verdict),
    // what was not seen may be provoked
    links: verdict === 'not_applicable' ? linksOn(context, 'check', id) : [],
    count: evidence.count,
    requests: evidence.requests.map(({ requestId, at, method, path }) => ({
      id: requestId,
      href: `${context.base}/dashboard/requests/${requestId}`,
      words: `${method} ${path}`,
      at: momentOf(at, now),
    })),
    example: evidence.example ?? '',
  };
}
