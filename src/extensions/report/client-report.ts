import { inTurns, type Pieces, type Turns } from '../../base/turns.ts';
import { misplacedSecret } from '../../record/flows/exports/export.ts';
import { type RecordedRequest, requestIn } from '../../record/flows/recorded-request.ts';
import { redact, redactText, redactTextWith, secretsOf } from '../../record/flows/redaction.ts';
import { type Sweep, sweepInPieces } from '../../record/flows/redaction-sweep.ts';
import { detectors } from '../../record/problems/detectors/index.ts';
import type { Known } from '../../record/problems/known.ts';
import type { ProblemIndex } from '../../record/problems/problem.ts';
import { createSilentFailures } from '../../record/problems/silent-failures.ts';
import { type Check, type Found, titleOf } from './check.ts';
import { checks } from './checks/index.ts';
import { type ClientRun, clientRuns } from './client-run.ts';
import { type CheckResult, type ClientReport, type ClientScore, summaryOf, worstOf } from './report.ts';

/** Input of a report. */
export interface ReportOptions extends Known {
  /** Reports this client only, seen or not. */
  readonly client?: string;
  /** Whether requests are recorded with headers and bodies. */
  readonly recording: boolean;
  /** True if the issuer has ended, so that no more requests will come. A pending code then counts as never redeemed. */
  readonly isOver?: boolean;
  /** The index of the problems that somebody reads meanwhile; absent: the report makes its own. */
  readonly problems?: Pick<ProblemIndex, 'silent'>;
  /** Sentences about the drop-in relaxations that are on. */
  readonly relaxations?: readonly string[];
}

/** Seconds after which a detector no longer waits for a request. */
const longEnough = 3600;

/**
 * Makes the scorecard of each client of an issuer from the log alone; the same log gives the same report. The work is spread over
 * several turns of the event loop.
 */
export function clientReport(options: ReportOptions, turns?: Turns): Promise<ClientReport> {
  return inTurns(reportInPieces(options), turns);
}

function* reportInPieces(options: ReportOptions): Pieces<ClientReport> {
  const { events, issuer, clock, client, recording, relaxations = [], isOver = false, problems } = options;
  const at = clock();
  const known: Known = { ...options, clock: () => at };
  const sweep = yield* sweepInPieces(secretsOfAll(known));
  const silent = problems?.silent ?? createSilentFailures(known, detectors, isOver ? longEnough : 0);
  const clients: ClientScore[] = [];
  for (const run of yield* clientRuns(known, silent, client)) clients.push(yield* scoreOf(run, sweep));
  const seen = new Set(clients.map(({ client_id }) => client_id));
  const summary = summaryOf(clients.flatMap(each => each.checks.map(({ verdict }) => verdict)));
  const registered = [...known.registered()].map(({ client_id }) => client_id);
  return {
    format: 'grantbox-client-report',
    version: 1,
    issuer,
    recording,
    createdAt: new Date(at * 1000).toISOString(),
    ...(relaxations.length > 0 && { relaxations }),
    incomplete: events.count('request.completed') > events.kept('request.completed'),
    verdict: worstOf(summary),
    summary,
    clients,
    unseen: registered.filter(id => !seen.has(id) && (client === undefined || id === client)).sort(),
  };
}

/** All known secrets, so that they are removed from any text under any parameter name. */
function secretsOfAll({ events, registered }: Known): readonly string[] {
  const tokens = events.latestIssued(Number.POSITIVE_INFINITY).map(({ token }) => token);
  const secrets = [...registered()].flatMap(({ client_secret }) => client_secret ?? []);
  // JWTs are left out, because redaction removes their signature anyway
  return [...secrets, ...tokens.filter(token => !token.includes('.')), ...misplacedIn(events)];
}

function misplacedIn(events: Known['events']): string[] {
  return events.latest('error.returned', events.kept('error.returned')).flatMap(({ requestId, reason }) => {
    const request = reason === 'client_unknown' ? requestIn(events.ofRequest(requestId)) : undefined;
    return (request && misplacedSecret(request)) ?? [];
  });
}

function* scoreOf(run: ClientRun, sweep: Sweep): Pieces<ClientScore> {
  const { client_id, client, requests } = run;
  const results: CheckResult[] = [];
  const shows = showsOf(sweep);
  for (const check of checks) {
    results.push(resultOf(check, check.look(run), shows));
    yield;
  }
  const summary = summaryOf(results.map(({ verdict }) => verdict));
  const isPublic = client?.token_endpoint_auth_methods.every(method => method === 'none') === true;
  return {
    // a client may have sent a token as its client_id
    client_id: shows.clean(client_id),
    client_name: client?.client_name ?? shows.clean(client_id),
    type: client === undefined ? 'unknown' : isPublic ? 'public' : 'confidential',
    requests: requests.length,
    verdict: worstOf(summary),
    summary,
    checks: results,
  };
}

const mostShown = 5;
const longestExample = 1000;

function resultOf(check: Check, found: Found, shows: ReturnType<typeof showsOf>): CheckResult {
  const { id, title: expectation, references } = check;
  const { verdict, why, requests } = found;
  const [first] = requests;
  const shown = requests.slice(0, mostShown).map(({ event: { requestId, at, method, path } }) => ({
    requestId,
    at,
    method,
    path: shows.clean(path),
  }));
  const example = first === undefined ? undefined : shows.example(first);
  return {
    // `why` may quote values that the client sent
    id,
    title: titleOf(check, found),
    expectation,
    verdict,
    why: shows.clean(example?.clean(why) ?? why),
    references,
    evidence: {
      count: requests.length,
      requests: shown,
      ...(example === undefined ? {} : { example: example.text }),
    },
  };
}

/** Shows requests without secrets. Caches examples, because several checks of a client show the same request. */
function showsOf(sweep: Sweep) {
  const examples = new Map<RecordedRequest, ReturnType<typeof made>>();
  const clean = (text: string) => redactTextWith(text, sweep);
  const made = (request: RecordedRequest) => {
    const secrets = secretsOf(request.event.exchange);
    /** `clean` removes the secrets of this request from a text. */
    return { text: exampleOf(request, clean), clean: (text: string) => redactText(text, secrets) };
  };
  return {
    clean,
    example(request: RecordedRequest) {
      const example = examples.get(request) ?? made(request);
      examples.set(request, example);
      return example;
    },
  };
}

function exampleOf({ event: { method, exchange } }: RecordedRequest, clean: (text: string) => string): string {
  const { url, requestBody } = redact(exchange);
  const body = method === 'GET' || requestBody === undefined ? '' : ` ${requestBody.text}`;
  const example = clean(`${method} ${url}${body}`);
  return example.length > longestExample ? `${example.slice(0, longestExample)}…` : example;
}
