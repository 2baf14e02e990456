// The shape of the report, as written to JSON and read by `grantbox report`.

/** Result of a check. `not_applicable`: the log has nothing that the check is about. */
export type Verdict = 'pass' | 'warn' | 'fail' | 'not_applicable';

/** The mildest verdict that makes the command fail. */
export type FailOn = 'fail' | 'warn';

/** The number of checks with each verdict. */
export type Summary = Readonly<Record<Verdict, number>>;

/** A request that shows what a check found. */
export interface EvidenceRequest {
  /** `req_…`, as in the log and the dashboard. */
  readonly requestId: string;
  /** Unix seconds, of the end of the request. */
  readonly at: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

/** The requests that show a finding. */
export interface Evidence {
  /** Number of requests found; `requests` has the first five. */
  readonly count: number;
  readonly requests: readonly EvidenceRequest[];
  /** Method, URL and form of the first request, without secrets; absent if `count` is 0. */
  readonly example?: string;
}

/** One check of one client. */
export interface CheckResult {
  /** Stable: `pkce_s256`. */
  readonly id: string;
  /** A sentence for the result: what happened on `fail` or `warn`, otherwise the expectation. */
  readonly title: string;
  /** The expectation; the same for every result. */
  readonly expectation: string;
  readonly verdict: Verdict;
  /** The reason, in one or two sentences. */
  readonly why: string;
  /** `RFC 7636 §4.2` */
  readonly references: readonly string[];
  /** The requests behind the verdict. */
  readonly evidence: Evidence;
}

/** The scorecard of one client. */
export interface ClientScore {
  readonly client_id: string;
  /** The registered name, or the `client_id` if the client is not registered. */
  readonly client_name: string;
  /** `unknown`: the client is not registered, or no longer is. */
  readonly type: 'public' | 'confidential' | 'unknown';
  /** Number of its requests. */
  readonly requests: number;
  /** The worst verdict of its checks. */
  readonly verdict: Verdict;
  readonly summary: Summary;
  readonly checks: readonly CheckResult[];
}

/** The scorecards of all clients of one issuer, from the requests that the server saw. */
export interface ClientReport {
  readonly format: 'grantbox-client-report';
  readonly version: 1;
  /** The issuer identifier of the report. */
  readonly issuer: string;
  /** ISO 8601, by the clock of the sandbox. */
  readonly createdAt: string;
  /** Whether requests were recorded with headers and bodies. If not, checks that read them find nothing. */
  readonly recording: boolean;
  /** True if the log no longer had the oldest requests. */
  readonly incomplete: boolean;
  /** Sentences about the drop-in relaxations that were on; absent for none. */
  readonly relaxations?: readonly string[];
  readonly verdict: Verdict;
  readonly summary: Summary;
  /** Clients with at least one request, sorted by `client_id`. */
  readonly clients: readonly ClientScore[];
  /** Ids of registered clients without a request. */
  readonly unseen: readonly string[];
}

/** Number of checks at or above the verdict `failOn`. */
export function findingsOf(report: ClientReport, failOn: FailOn): number {
  return report.summary.fail + (failOn === 'warn' ? report.summary.warn : 0);
}

/** The report reduced to one client, seen or not; undefined if the report does not name this client. */
export function onlyClient(report: ClientReport, client_id: string): ClientReport | undefined {
  const clients = report.clients.filter(each => each.client_id === client_id);
  const unseen = report.unseen.filter(id => id === client_id);
  if (clients.length + unseen.length === 0) return undefined;
  const summary = summaryOf(clients.flatMap(({ checks }) => checks.map(({ verdict }) => verdict)));
  return { ...report, clients, unseen, summary, verdict: worstOf(summary) };
}

/** Counts verdicts. */
export function summaryOf(verdicts: readonly Verdict[]): Summary {
  const count = (wanted: Verdict) => verdicts.filter(each => each === wanted).length;
  return { pass: count('pass'), warn: count('warn'), fail: count('fail'), not_applicable: count('not_applicable') };
}

/** The worst verdict with a count above 0; `not_applicable` if there is none. */
export function worstOf(summary: Summary): Verdict {
  return (['fail', 'warn', 'pass'] as const).find(verdict => summary[verdict] > 0) ?? 'not_applicable';
}
