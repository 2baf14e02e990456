// The shape of the report: what is written as JSON, and read again by `grantbox report`.

/** `not_applicable`: nothing was seen that the check is about. */
export type Verdict = 'pass' | 'warn' | 'fail' | 'not_applicable';

/** From which verdict on somebody wants to hear of it. */
export type FailOn = 'fail' | 'warn';

/** How often each verdict was given. */
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

/** What a verdict rests on. */
export interface Evidence {
  /** How many were found; the list holds the first five. */
  readonly count: number;
  readonly requests: readonly EvidenceRequest[];
  /** Method, address and form of the first of them, without secrets; absent where nothing was found. */
  readonly example?: string;
}

/** One check of one client. */
export interface CheckResult {
  /** Stable: `pkce_s256`. */
  readonly id: string;
  /** What happened, in a few words; where the check was passed or does not apply, what is expected. */
  readonly title: string;
  /** What is expected, in a few words; the same whatever happened. */
  readonly expectation: string;
  readonly verdict: Verdict;
  /** One sentence, or two. */
  readonly why: string;
  /** `RFC 7636 §4.2` */
  readonly references: readonly string[];
  readonly evidence: Evidence;
}

/** The scorecard of one client. */
export interface ClientScore {
  readonly client_id: string;
  /** As registered; the `client_id` of one that is not. */
  readonly client_name: string;
  /** `unknown`: it is not registered, or not any more. */
  readonly type: 'public' | 'confidential' | 'unknown';
  /** Requests it was seen in. */
  readonly requests: number;
  /** The worst of its checks. */
  readonly verdict: Verdict;
  readonly summary: Summary;
  readonly checks: readonly CheckResult[];
}

/** What the clients of one issuer did, as far as the server sees it. */
export interface ClientReport {
  readonly format: 'grantbox-client-report';
  readonly version: 1;
  readonly issuer: string;
  /** ISO 8601, by the clock of the sandbox. */
  readonly createdAt: string;
  /** Whether requests were recorded with headers and bodies; without, checks that read these see nothing. */
  readonly recording: boolean;
  /** Whether the log had forgotten requests already. */
  readonly incomplete: boolean;
  readonly verdict: Verdict;
  readonly summary: Summary;
  /** Those that did something, by `client_id`. */
  readonly clients: readonly ClientScore[];
  /** Registered, and never seen. */
  readonly unseen: readonly string[];
}

/** Checks at or above a verdict. */
export function findingsOf(report: ClientReport, failOn: FailOn): number {
  return report.summary.fail + (failOn === 'warn' ? report.summary.warn : 0);
}

/** The same report with one client, seen or not; undefined where it has none of that name. */
export function onlyClient(report: ClientReport, client_id: string): ClientReport | undefined {
  const clients = report.clients.filter(each => each.client_id === client_id);
  const unseen = report.unseen.filter(id => id === client_id);
  if (clients.length + unseen.length === 0) return undefined;
  const summary = summaryOf(clients.flatMap(({ checks }) => checks.map(({ verdict }) => verdict)));
  return { ...report, clients, unseen, summary, verdict: worstOf(summary) };
}

/** Adds up verdicts. */
export function summaryOf(verdicts: readonly Verdict[]): Summary {
  const count = (wanted: Verdict) => verdicts.filter(each => each === wanted).length;
  return { pass: count('pass'), warn: count('warn'), fail: count('fail'), not_applicable: count('not_applicable') };
}

/** The worst there is; `not_applicable` where nothing was checked. */
export function worstOf(summary: Summary): Verdict {
  return (['fail', 'warn', 'pass'] as const).find(verdict => summary[verdict] > 0) ?? 'not_applicable';
}
