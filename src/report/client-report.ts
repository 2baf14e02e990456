import type { RecordedRequest } from '../flows/recorded-request.ts';
import { redact, redactText, redactTextWith, secretsOf } from '../flows/redaction.ts';
import { type Sweep, sweepOf } from '../flows/redaction-sweep.ts';
import type { Known } from '../problems/known.ts';
import type { Check, Found } from './check.ts';
import { checks } from './checks/index.ts';
import { type ClientRun, clientRuns } from './client-run.ts';
import { type CheckResult, type ClientReport, type ClientScore, summaryOf, worstOf } from './report.ts';

/** What a report is made from. */
export interface ReportOptions extends Known {
  /** Only this client, seen or not. */
  readonly client?: string;
  /** Whether requests are recorded with headers and bodies. */
  readonly recording: boolean;
  /** Whether nothing more will come: then a code that waits will wait for ever. */
  readonly isOver?: boolean;
}

/** Seconds after which whatever could still have come has not. */
const longEnough = 3600;

/** How well each client of an issuer did, from the log alone; the same log gives the same report. */
export function clientReport(options: ReportOptions): ClientReport {
  const { events, issuer, clock, client, recording, isOver = false } = options;
  const known: Known = isOver ? { ...options, clock: () => clock() + longEnough } : options;
  const runs = clientRuns(known).filter(({ client_id }) => client === undefined || client_id === client);
  const sweep = sweepOf(secretsOfAll(known));
  const clients = runs.map(run => scoreOf(run, sweep));
  const seen = new Set(clients.map(({ client_id }) => client_id));
  const summary = summaryOf(clients.flatMap(each => each.checks.map(({ verdict }) => verdict)));
  const registered = [...known.registered()].map(({ client_id }) => client_id);
  return {
    ...{ format: 'grantbox-client-report', version: 1, issuer, recording },
    createdAt: new Date(clock() * 1000).toISOString(),
    incomplete: events.count('request.completed') > events.kept('request.completed'),
    verdict: worstOf(summary),
    ...{ summary, clients },
    unseen: registered.filter(id => !seen.has(id) && (client === undefined || id === client)).sort(),
  };
}

/** Whatever name it goes by in an address, and whoever sent it. */
function secretsOfAll({ events, registered }: Known): readonly string[] {
  const tokens = events.latestIssued(Number.POSITIVE_INFINITY).map(({ token }) => token);
  const secrets = [...registered()].flatMap(({ client_secret }) => client_secret ?? []);
  // a JWT loses its signature in any case
  return [...secrets, ...tokens.filter(token => !token.includes('.'))];
}

function scoreOf(run: ClientRun, sweep: Sweep): ClientScore {
  const { client_id, client, requests } = run;
  const results = checks.map(check => resultOf(check, check.look(run), sweep));
  const summary = summaryOf(results.map(({ verdict }) => verdict));
  const isPublic = client?.token_endpoint_auth_methods.every(method => method === 'none') === true;
  return {
    ...{ client_id, client_name: client?.client_name ?? client_id },
    type: client === undefined ? 'unknown' : isPublic ? 'public' : 'confidential',
    requests: requests.length,
    ...{ verdict: worstOf(summary), summary, checks: results },
  };
}

const mostShown = 5;
const longestExample = 1000;

function resultOf({ id, title, references }: Check, { verdict, why, requests }: Found, sweep: Sweep): CheckResult {
  const [first] = requests;
  const shown = requests.slice(0, mostShown).map(({ event: { requestId, at, method, path } }) => ({
    ...{ requestId, at, method, path: redactTextWith(path, sweep) },
  }));
  const secrets = first === undefined ? [] : secretsOf(first.event.exchange);
  return {
    // a description quotes what was sent
    ...{ id, title, verdict, why: redactTextWith(redactText(why, secrets), sweep), references },
    evidence: {
      ...{ count: requests.length, requests: shown },
      ...(first === undefined ? {} : { example: exampleOf(first, sweep) }),
    },
  };
}

function exampleOf({ event: { method, exchange } }: RecordedRequest, sweep: Sweep): string {
  const { url, requestBody } = redact(exchange);
  const body = method === 'GET' || requestBody === undefined ? '' : ` ${requestBody.text}`;
  const example = redactTextWith(`${method} ${url}${body}`, sweep);
  return example.length > longestExample ? `${example.slice(0, longestExample)}…` : example;
}
