import { clientPath } from '../../../dashboard/clients-and-users.ts';
import type { Desk } from '../../../dashboard/desk.ts';
import { momentOf } from '../../../dashboard/moment.ts';
import type { CheckResult, ClientReport, ClientScore, Summary, Verdict } from '../report.ts';
import { blindSpots, verdictWords } from '../report-words.ts';

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
export function reportPage(desk: Desk, report: ClientReport, client: string, page: number) {
  const { base, clock } = desk;
  const now = clock();
  const pages = Math.max(1, Math.ceil(report.clients.length / mostClients));
  const from = (Math.min(page, pages) - 1) * mostClients;
  const shown = report.clients.slice(from, from + mostClients);
  return {
    // the `client_id` of a single report; empty for all clients
    client,
    at: momentOf(now, now),
    notes: blindSpots({ ...report, relaxations: [] }), // the top of each page has them
    unseen: report.unseen.map(id => ({ id, href: base + clientPath(id) })),
    clients: shown.map(score => clientView(score, base, now)),
    ...(pages === 1 ? {} : { part: partOf(base, report.clients.length, from) }),
    files: Object.entries(fileNames).map(([format, name]) => ({ name, format, href: fileHref(base, format, client) })),
  };
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

function clientView(score: ClientScore, base: string, now: number) {
  const { client_id, client_name, type, requests, summary, verdict, checks } = score;
  const of = (...verdicts: readonly Verdict[]) =>
    verdicts.flatMap(wanted => checks.filter(check => check.verdict === wanted));
  const view = (check: CheckResult) => checkView(check, base, now);
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

function checkView({ id, title, verdict, why, references, evidence }: CheckResult, base: string, now: number) {
  return {
    id,
    title,
    why,
    references,
    badge: badgeOf(verdict),
    count: evidence.count,
    requests: evidence.requests.map(({ requestId, at, method, path }) => ({
      id: requestId,
      href: `${base}/dashboard/requests/${requestId}`,
      words: `${method} ${path}`,
      at: momentOf(at, now),
    })),
    example: evidence.example ?? '',
  };
}
