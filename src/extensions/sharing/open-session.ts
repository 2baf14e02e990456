import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { defined } from '../../base/defined.ts';
import type { EventFact } from '../../base/events/event.ts';
import { createEventLog, type EventLog } from '../../base/events/event-log.ts';
import { createDashboard } from '../../dashboard/dashboard.ts';
import { type DashboardFacts, factsOf, type OpenedRecord } from '../../dashboard/facts.ts';
import { templatesFolder } from '../../package.ts';
import type { Flow, FlowIndex } from '../../record/flows/flow.ts';
import type { Explanation, Problem, ProblemIndex } from '../../record/problems/problem.ts';
import { countsByClient, createProblemIndex, shownFor } from '../../record/problems/problem-index.ts';
import { ConfigError, type LoadedConfig, loadConfig } from '../../sandbox/config/load-config.ts';
import type { Extension, Modules } from '../../sandbox/extension.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { createViews } from '../../server/http/views.ts';
import { type RecordedSetup, readSession, setupConfig } from './read-session.ts';
import type { FileRequest, FileSession } from './session-schema.ts';
import { shareCommands } from './share-commands.ts';

/** The file to show, and where. */
export interface OpenOptions {
  /** As typed. */
  readonly name: string;
  readonly path: string;
  /** 0: a free port. */
  readonly port: number;
  readonly modules: Modules;
}

/** A recorded session that a server shows until it is stopped. */
export interface Opened {
  /** The address of the first page. */
  readonly url: string;
  /** Sentences about what the file lacks. */
  readonly notes: readonly string[];
  readonly issuer: string;
  readonly counts: Readonly<Record<'flows' | 'problems' | 'requests', number>>;
  stop(): Promise<void>;
}

/**
 * Starts a read-only dashboard for the session in a file, on a loopback address.
 * @throws CommandFailure if the file is no session; ListenError if the port is taken
 */
export async function openSession({ name, path, port, modules }: OpenOptions): Promise<Opened> {
  const session = await readSession(name, path, modules);
  const shown = openedSession(name, session);
  const { config, notes } = await configOf(port, session.setup, showing(shown, modules));
  const now = () => session.exportedAt;
  const sandbox = await startSandbox(config, { now });
  const { flows, problems } = shown.record;
  return {
    url: `${sandbox.url}/dashboard/flows`,
    notes,
    issuer: session.issuer,
    counts: { flows: flows.count(), problems: problems.count(), requests: session.requests.length },
    stop: sandbox.stop,
  };
}

/** A sandbox of these modules shows the session in place of its own history, and answers for its pages alone. */
function showing({ show }: OpenedSession, modules: Modules): Modules {
  const pagesAlone: Extension = { name: 'opened', whole: async () => ({ before: guard }) };
  return {
    ...modules,
    extensions: [pagesAlone, ...modules.extensions],
    dashboard: {
      paths: () => ['/dashboard'],
      load: async () => (issuer, tools) => createDashboard(show(factsOf(issuer, tools)), [], [shareCommands]),
    },
  };
}

/** The clients and users of the file are shown, too. */
async function configOf(
  port: number,
  setup: RecordedSetup | undefined,
  modules: Modules,
): Promise<{ readonly config: LoadedConfig; readonly notes: readonly string[] }> {
  const alone = { port, host: '127.0.0.1', dashboard: 'readonly', lessons: false, clients: [], users: [] } as const;
  try {
    return { config: await loadConfig({ modules, overrides: { ...alone, ...setupConfig(setup) } }), notes: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const note = `The clients and users of the file are left out. ${error.message}`;
    return { config: await loadConfig({ modules, overrides: alone }), notes: [note] };
  }
}

/** A recorded session: its record, and the facts that pages show in place of those of an issuer. */
interface OpenedSession {
  readonly record: OpenedRecord;
  show(facts: DashboardFacts): DashboardFacts;
}

/** The pages of the session in a file, and the record that they read. `name` is the name of the file, as typed. */
function openedSession(name: string, session: FileSession): OpenedSession {
  const log = recordedLog(session);
  const { issuer, exportedAt } = session;
  const record: OpenedRecord = {
    file: name,
    advice: 'Run npx grantbox reproduce with the file to repeat the session in a sandbox.',
    recordedAt: exportedAt,
    flows: recordedFlows(session.flows.map(flow => ({ ...flow, lastEventId: log.placeOf(flow.lastEventId) }))),
    problems: problemsOf(session, log),
  };
  const show = (facts: DashboardFacts): DashboardFacts => {
    const { label, base, version, mint: _, ...others } = facts;
    const look = { label, issuer, base, version, dashboard: true };
    return {
      ...others,
      ...{ label, base, version, issuer, iss: issuer, events: log.events, opened: record },
      views: createViews({ templatesFolder, look }),
      recording: true,
      verify: async () => ({ ok: false, why: 'a recorded session has no keys, and exports leave signatures out' }),
    };
  };
  return { record, show };
}

/** A file of an older version has no problems. They are found again, as far as redacted values allow. */
function problemsOf({ problems, issuer, exportedAt }: FileSession, { events, placeOf }: RecordedLog) {
  if (problems !== undefined)
    return recordedProblems(problems.map(each => ({ ...each, lastEventId: placeOf(each.lastEventId) })));
  return foundProblems(events, issuer, exportedAt);
}

const firstPage = '/dashboard/flows';

/** The paths of the server of a recorded session. */
const pages = /^\/(?:dashboard(?:[/?]|$)|assets\/|health$)/;

const sentence =
  'this server only shows a recorded session: it issues no tokens, and nothing can be changed. Run npx grantbox reproduce with the file to repeat the session in a sandbox';

/** Lets requests for pages through and refuses all others, so that they never reach an endpoint. */
function guard(listener: RequestListener): RequestListener {
  return (req, res) => {
    const { url = '', method } = req;
    if (pages.test(url)) return listener(req, res);
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && url === '/') res.writeHead(303, { Location: firstPage }).end();
    else refuse(req, res);
  };
}

function refuse({ headers: { accept = '' } }: IncomingMessage, res: ServerResponse): void {
  const isBrowser = /text\/html/i.test(accept);
  const type = isBrowser ? 'text/plain; charset=utf-8' : 'application/json';
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
  const body = isBrowser
    ? `Not answered: ${sentence}. The pages are at ${firstPage}.\n`
    : JSON.stringify({ error: 'read_only_session', error_description: sentence });
  res.writeHead(403, headers).end(body);
}

/** The flows of a session file as they were recorded, newest first in the file. */
function recordedFlows(flows: readonly Flow[]): FlowIndex {
  const byId = new Map(flows.map(flow => [flow.id, flow]));
  const byRequest = new Map(flows.flatMap(flow => flow.steps.map(step => [step.requestId, flow] as const)));
  const byToken = new Map(flows.flatMap(flow => flow.tokenIds.map(id => [id, flow] as const)));
  function newestFirst(before?: string): readonly Flow[] {
    const place = flows.findIndex(({ id }) => id === before);
    return before === undefined ? flows : place === -1 ? [] : flows.slice(place + 1);
  }
  return {
    *catchUp() {},
    latest: (limit, before) => newestFirst(before).slice(0, limit),
    newestFirst,
    find: id => byId.get(id),
    ofRequest: requestId => byRequest.get(requestId),
    ofToken: tokenId => byToken.get(tokenId),
    ofSession: sid => flows.filter(flow => flow.sid === sid).reverse(),
    count: () => flows.filter(({ kind }) => kind !== 'setup').length,
    kept: () => flows.length,
  };
}

/** A problem with the explanation that was made when it was recorded. */
interface RecordedProblem extends Problem {
  readonly explanation: Explanation;
}

/** The problems of a session file as they were recorded, newest first in the file. */
function recordedProblems(problems: readonly RecordedProblem[]): ProblemIndex {
  const byId = new Map(problems.map(problem => [problem.id, problem]));
  return {
    *catchUp() {},
    latest: limit => problems.slice(0, limit),
    listed: () => problems.map(problem => ({ problem, explain: () => problem.explanation })),
    find: id => byId.get(id),
    ofRequest: requestId => shownFor(problems, requestId),
    explain(problem) {
      const recorded = byId.get(problem.id);
      if (recorded === undefined) throw new Error(`the file has no problem ${problem.id}`);
      return recorded.explanation;
    },
    count: () => problems.length,
    countsByClient: () => countsByClient(problems),
    newestEventIds: () => problems.map(({ lastEventId }) => lastEventId),
  };
}

/** The problems that a log shows by itself: the configuration of its server is not known. `now` in Unix seconds. */
function foundProblems(events: EventLog, issuer: string, now: number): ProblemIndex {
  return createProblemIndex({
    ...{ events, issuer, iss: issuer, base: '', scopes: [], endpoints: [] },
    ...{ clock: () => now, registered: () => [], accounts: () => [] },
  });
}

type RecordedLog = ReturnType<typeof recordedLog>;

interface Recorded {
  readonly id: number;
  readonly at: number;
  readonly requestId: string;
  readonly fact: EventFact;
}

/** Fills a log with the events of a session in their order. Each keeps its time; the log numbers them anew. */
function recordedLog({ requests, exportedAt }: FileSession) {
  const recorded = requests.flatMap(eventsOf).sort((a, b) => a.id - b.id);
  let at = exportedAt;
  const log = createEventLog({ capacity: Math.max(1, recorded.length), now: () => at });
  const places = new Map<number, number>();
  for (const { id, requestId, fact, ...event } of recorded) {
    at = event.at;
    places.set(id, log.append(fact, requestId).id);
  }
  at = exportedAt;
  /** The place in this log of an event of the file; 1 for an event that the file does not have. */
  const placeOf = (eventId: number) => places.get(eventId) ?? 1;
  return { events: sealed(log), placeOf };
}

/** Nothing is added any more: what the server of the record refuses is not a part of the record. */
function sealed(log: EventLog): EventLog {
  const aside = createEventLog({ capacity: 100, now: log.wall });
  const { newestForgotten, lastId } = log;
  return { ...log, newestForgotten, lastId, append: aside.append };
}

function eventsOf(request: FileRequest): Recorded[] {
  const { requestId, id, at } = request;
  const facts = request.events.flatMap(event => {
    if (event === undefined) return [];
    const { id, at, ...fact } = event;
    return [{ id, at, requestId, fact: fact as EventFact }]; // without its stamp it is what the log was given
  });
  return [...facts, { id, at, requestId, fact: completedOf(request) }];
}

function completedOf(request: FileRequest): EventFact {
  const { endpoint, method, path, status, milliseconds, faults, by, url, ip, request: sent, response } = request;
  return {
    type: 'request.completed',
    ...{ endpoint, method, path, status, milliseconds },
    ...defined({ faults, by }),
    exchange: {
      ...{ url, ip, requestHeaders: linesOf(sent.headers), responseHeaders: linesOf(response.headers) },
      ...defined({ requestBody: sent.body, responseBody: response.body }),
    },
  };
}

function linesOf(headers: FileRequest['request']['headers']): string {
  return headers.map(pair => pair.join('\n')).join('\n');
}
