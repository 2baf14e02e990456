import type { Logger } from 'pino';
import { clientClosedRequest, type EventOf, type SandboxEvent } from '../../../base/events/event.ts';
import { isChange, refusalLines, reloadSentence } from '../../../base/events/reload.ts';
import { insteadOf } from '../../../protocol/ignored-parameters.ts';
import { type Correlation, correlationOf, type SentHeaders } from './correlation.ts';
import { createLargeTokenTeller } from './large-tokens.ts';
import type { AddedLine, AddedLines, RequestLogOptions } from './log-options.ts';
import type { Output } from './output.ts';

/** The log on the terminal: a reader of the event log, for people and for machines that collect lines. */
export interface RequestLog {
  /** Logs an event. `explanationOf` gives the address of a request's page in the dashboard. */
  event(event: SandboxEvent, explanationOf?: Explanation): void;
  /** Adds the ids of a request in other programs to its JSON lines. */
  correlate(requestId: string, sent: SentIds): void;
  error(error: unknown, requestId: string): void;
  /** A failure that is not our bug; `message` says what to do about it. */
  failure(facts: object, message: string): void;
  /** A setting that may be a mistake; the sandbox works anyway. */
  warn(facts: object, message: string): void;
  /** Details of each step. */
  debug(facts: object, message: string): void;
  /** Writes the buffered lines. */
  close(): Promise<void>;
}

type Explanation = (requestId: string) => string | undefined;
type Line = (logger: Logger) => void;

/**
 * pino is loaded a moment after the first line, so that no request waits for it; until then lines wait here.
 */
export function createRequestLog(options: RequestLogOptions): RequestLog {
  let output: Output | undefined;
  const waiting: Line[] = [];
  const sentIds = createSentIds();

  async function load(): Promise<void> {
    output ??= await (await import('./output.ts')).createOutput(options, sentIds.of);
    for (const line of waiting.splice(0)) line(output.logger);
  }

  function waitWith(line: Line): void {
    if (waiting.push(line) === 1) setTimeout(load, 100).unref();
  }

  function write(line: Line): void {
    if (options.level === 'silent') return;
    if (output === undefined) waitWith(line);
    else line(output.logger);
  }

  function writeAll(lines: readonly (Line | undefined)[]): boolean {
    const wanted = lines.filter(line => line !== undefined);
    for (const line of wanted) write(line);
    return wanted.length > 0;
  }

  const tellers = [createIgnoredTeller(), createLargeTokenTeller(options.maxHeaderSize ?? 16_384)];
  const held = createHeldRefusals(late => writeAll(late.map(each => refusalLine(each, options.level))));
  return {
    event(event, explanationOf) {
      if (options.level === 'silent') return;
      const { requestId } = event;
      for (const told of tellers.flatMap(tell => tell(event))) write(log => log.warn({ requestId }, told));
      if (event.type === 'error.returned') return held.hold(event, explanationOf?.(event.requestId));
      const refusals = isOver(event) ? held.take(event.requestId) : [];
      const isTold = writeAll(
        refusals.map(each => refusalLine(each, options.level, isOver(event) ? event : undefined)),
      );
      if (!isTold) writeAll([lineOf(event, options)]);
    },
    correlate(requestId, sent) {
      if (options.level !== 'silent' && options.format === 'json') sentIds.put(requestId, sent);
    },
    error: (error, requestId) => write(log => log.error({ requestId, err: error }, 'unexpected error')),
    failure: (facts, message) => write(log => log.error(facts, message)),
    warn: (facts, message) => write(log => log.warn(facts, message)),
    debug(facts, message) {
      if (options.level === 'debug') write(log => log.debug(facts, message));
    },
    async close() {
      held.flush();
      if (waiting.length > 0) await load();
      await output?.flush();
    },
  };
}

/** Endpoints that only read. Their requests are logged at debug, because developers rarely want to see them. */
const quiet = new Set(['assets', 'control_read', 'dashboard', 'discovery', 'health', 'jwks', 'ready', 'user_search']);

type Over = EventOf<'request.completed' | 'page.served'>;

function isOver(event: SandboxEvent): event is Over {
  return event.type === 'request.completed' || event.type === 'page.served';
}

function lineOf(event: SandboxEvent, { level, lines = {} }: RequestLogOptions): Line | undefined {
  const { requestId } = event;
  switch (event.type) {
    case 'page.served':
    case 'request.completed': {
      const { method, path, status, milliseconds, endpoint } = event;
      const met = 'faults' in event && event.faults !== undefined ? `, fault: ${event.faults.join(', ')}` : '';
      const words = status === clientClosedRequest ? ' client closed request' : '';
      const at = quiet.has(endpoint) && status < 400 ? 'debug' : 'info';
      if (at === 'debug' && level !== 'debug') return undefined;
      return log => log[at]({ requestId, status, milliseconds }, `${method} ${path} ${status}${words}${met}`);
    }
    case 'login.succeeded': {
      const { sub, client_id } = event;
      return log => log.info({ requestId, sub, client_id }, `${sub} signed in`);
    }
    case 'configuration.reloaded':
    case 'configuration.refused':
      return configurationLine(event);
    case 'issuer.created':
    case 'issuer.ended': {
      const { type, issuer, by } = event;
      return log => log.info({ requestId, issuer, by }, issuerLine(type, issuer, by));
    }
    case 'token.issued': {
      const { tokenType, client_id, sub, scope, grant_type, tokenId } = event;
      return level === 'debug'
        ? log => log.debug({ requestId, tokenType, client_id, sub, scope, grant_type, tokenId }, 'token issued')
        : undefined;
    }
    default:
      return addedLine(event, lines);
  }
}

/** The line of an event that an extension adds. */
function addedLine(event: SandboxEvent, lines: AddedLines): Line | undefined {
  const lineFor = lines[event.type] as ((event: SandboxEvent) => AddedLine) | undefined;
  if (lineFor === undefined) return undefined;
  const [facts, text] = lineFor(event);
  return log => log.info({ requestId: event.requestId, ...facts }, text);
}

/** The first issuer logs one line for all. Any other issuer logs only its own changes. */
function configurationLine(event: EventOf<'configuration.reloaded' | 'configuration.refused'>): Line | undefined {
  const { requestId, by, path } = event;
  if (event.type === 'configuration.refused') {
    return path === undefined ? log => log.error({ requestId, by }, refusalLines(event).join('\n  - ')) : undefined;
  }
  return path !== undefined && !isChange(event) ? undefined : log => log.info({ requestId, by }, reloadSentence(event));
}

function issuerLine(type: 'issuer.created' | 'issuer.ended', issuer: string, by: string): string {
  if (by === 'lifetime') return `issuer ${issuer} ended: its lifetime was over`;
  return `issuer ${issuer} was ${type === 'issuer.created' ? 'created' : 'ended'} by ${by === 'request' ? 'a request' : `the ${by}`}`;
}

/** `400 POST /oauth2/token frontend invalid_grant: … -> <its explanation>`: one line, which a terminal makes clickable. */
function refusalLine(
  { event, explained }: HeldRefusal,
  level: RequestLogOptions['level'],
  over?: Over,
): Line | undefined {
  const { requestId, error, reason, description, client_id } = event;
  // a device polls every few seconds, as it should
  const at = error === 'authorization_pending' ? 'debug' : 'warn';
  if (at === 'debug' && level !== 'debug') return undefined;
  const { status = event.status, milliseconds } = over ?? {};
  const what = over === undefined ? `${status}` : `${status} ${over.method} ${over.path}`;
  const who = client_id === undefined ? '' : ` ${client_id}`;
  const link = explained === undefined ? '' : ` -> ${explained}`;
  const facts = { requestId, status, milliseconds, error, reason, client_id };
  return log => log[at](facts, `${what}${who} ${error}: ${description}${link}`);
}

/** A refusal that waits for the end of its request, whose status and path belong in the same log line. */
interface HeldRefusal {
  readonly event: EventOf<'error.returned'>;
  /** Address of the explanation. */
  readonly explained: string | undefined;
}

const patience = 2000;

/**
 * Buffers a refusal until its request completes, so that both go into one log line. After 2 s the rest goes to `late`,
 * because its requests completed before.
 */
function createHeldRefusals(late: (refusals: readonly HeldRefusal[]) => void) {
  const byRequest = new Map<string, HeldRefusal[]>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const all = [...byRequest.values()].flat();
    byRequest.clear();
    if (all.length > 0) late(all);
  }

  return {
    flush,
    hold(event: HeldRefusal['event'], explained: string | undefined): void {
      const known = byRequest.get(event.requestId) ?? [];
      byRequest.set(event.requestId, [...known, { event, explained }]);
      timer ??= setTimeout(flush, patience).unref();
    },
    take(requestId: string): readonly HeldRefusal[] {
      const refusals = byRequest.get(requestId) ?? [];
      byRequest.delete(requestId);
      return refusals;
    },
  };
}

/** Most pairs of client and parameter to remember: a client that makes up names must not fill the memory. */
const mostTold = 1000;

/** Reports each ignored parameter once for each client. */
function createIgnoredTeller(): (event: SandboxEvent) => readonly string[] {
  const told = new Set<string>();
  return event => {
    if (!('ignored' in event)) return [];
    const { client_id } = event;
    return event.ignored.flatMap(name => {
      const key = JSON.stringify([client_id, name]);
      if (told.has(key) || told.size >= mostTold) return [];
      told.add(key);
      return [sentence(client_id, name)];
    });
  };
}

function sentence(client_id: string, name: string): string {
  const hint = insteadOf(name);
  return `${client_id} sent the parameter ${name}, which this server ignores${hint === undefined ? '' : `: ${hint}`}`;
}

/** The headers of a request, and the ids of our own span. */
type SentIds = SentHeaders & { readonly own?: Correlation | undefined };

/** Most requests whose ids are kept. Lines of a request are written while it runs, or at its end. */
const most = 1000;

/** Remembers the ids that the latest requests have in other programs, by our own id. */
export function createSentIds() {
  const byRequest = new Map<string, Correlation>();
  return {
    put(requestId: string, { own, ...sent }: SentIds): void {
      byRequest.set(requestId, { ...correlationOf(sent), ...own });
      const [oldest] = byRequest.size > most ? byRequest.keys() : [];
      if (oldest !== undefined) byRequest.delete(oldest);
    },
    of: (requestId: string): Correlation | undefined => byRequest.get(requestId),
    size: () => byRequest.size,
  };
}
