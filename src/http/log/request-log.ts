import type { DestinationStream, Logger } from 'pino';
import { clientClosedRequest, type EventOf, type SandboxEvent } from '../../events/event.ts';
import { isChange, refusalLines, reloadSentence } from '../../events/reload-words.ts';
import { type Correlation, createCorrelations } from './correlation.ts';
import { createHeldRefusals, type HeldRefusal } from './held-refusals.ts';
import { createIgnoredTeller } from './ignored-parameters.ts';
import { createLogFile } from './log-file.ts';

export interface RequestLogOptions {
  readonly level: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly format: 'pretty' | 'json';
  /** The target of the lines: a stream, or a file descriptor, to which writes never block. */
  readonly destination: DestinationStream | number;
}

/** The log on the terminal: a reader of the event log, for people and for machines that collect lines. */
export interface RequestLog {
  /** Logs an event. `explanationOf` gives the address of a request's page in the dashboard. */
  event(event: SandboxEvent, explanationOf?: Explanation): void;
  /** Adds the ids of a request in other programs to its JSON lines. */
  correlate(requestId: string, ids: Correlation): void;
  error(error: unknown, requestId: string): void;
  /** A failure that is not our bug; `message` says what to do about it. */
  fault(facts: object, message: string): void;
  /** A setting that may be a mistake; the sandbox works anyway. */
  warn(facts: object, message: string): void;
  /** Details of each step. */
  debug(facts: object, message: string): void;
  /** Writes the buffered lines. */
  close(): Promise<void>;
}

type Explanation = (requestId: string) => string | undefined;
type Line = (logger: Logger) => void;

/** Members to write are chosen one by one. These rules are a second guard, in case one of them is a secret. */
const redact = {
  paths: [
    'token',
    'code',
    'access_token',
    'refresh_token',
    'id_token',
    'client_secret',
    'password',
    'cookie',
    'authorization',
  ],
  censor: '[redacted]',
};

/**
 * pino is loaded a moment after the first line, so that no request waits for it; until then lines wait here.
 */
export function createRequestLog(options: RequestLogOptions): RequestLog {
  let output: Output | undefined;
  const waiting: Line[] = [];
  const correlations = createCorrelations();

  async function load(): Promise<void> {
    output ??= await createOutput(options, requestId => correlations.of(requestId));
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

  const tellIgnored = createIgnoredTeller();
  const held = createHeldRefusals(late => writeAll(late.map(each => refusalLine(each, options.level))));
  return {
    event(event, explanationOf) {
      if (options.level === 'silent') return;
      const { requestId } = event;
      for (const told of tellIgnored(event)) write(log => log.warn({ requestId }, told));
      if (event.type === 'error.returned') return held.hold(event, explanationOf?.(event.requestId));
      const refusals = isOver(event) ? held.take(event.requestId) : [];
      const isTold = writeAll(
        refusals.map(each => refusalLine(each, options.level, isOver(event) ? event : undefined)),
      );
      if (!isTold) writeAll([lineOf(event, options.level)]);
    },
    correlate(requestId, ids) {
      if (options.level !== 'silent' && options.format === 'json') correlations.put(requestId, ids);
    },
    error: (error, requestId) => write(log => log.error({ requestId, err: error }, 'unexpected error')),
    fault: (facts, message) => write(log => log.error(facts, message)),
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

interface Output {
  readonly logger: Logger;
  flush(): Promise<void>;
}

type IdsOf = (requestId: unknown) => Correlation | undefined;

async function createOutput({ destination, ...options }: RequestLogOptions, idsOf: IdsOf): Promise<Output> {
  if (typeof destination !== 'number')
    return { logger: await createLogger(options, destination, idsOf), flush: async () => {} };
  const file = createLogFile(destination, tellLost);
  const logger = await createLogger(options, file, idsOf);
  function tellLost(lines: number, error: string): void {
    logger.error({ lines, error }, `${lines} log lines could not be written: ${error}`);
  }
  return { logger, flush: file.flush };
}

async function createLogger(
  { level, format }: Omit<RequestLogOptions, 'destination'>,
  stream: DestinationStream,
  idsOf: IdsOf,
): Promise<Logger> {
  const { default: pino } = await import('pino');
  const settings = { level, base: null, redact, timestamp: pino.stdTimeFunctions.isoTime };
  if (format === 'pretty') return pino(settings, await prettified(stream));
  // one member more than the facts of the line: the name that log collectors know
  const mixin = ({ requestId }: { requestId?: unknown }) =>
    requestId === undefined ? {} : { request_id: requestId, ...idsOf(requestId) };
  return pino({ ...settings, mixin }, stream);
}

async function prettified(stream: DestinationStream): Promise<DestinationStream> {
  const { default: pinoPretty } = await import('pino-pretty');
  const pretty = pinoPretty.prettyFactory({ colorize: true, ignore: 'requestId', singleLine: true });
  return { write: line => stream.write(pretty(line)) };
}

/** Endpoints that only read. Their requests are logged at debug, because developers rarely want to see them. */
const quiet = new Set(['assets', 'control_read', 'dashboard', 'discovery', 'health', 'jwks', 'ready', 'user_search']);

type Over = EventOf<'request.completed' | 'page.served'>;

function isOver(event: SandboxEvent): event is Over {
  return event.type === 'request.completed' || event.type === 'page.served';
}

function lineOf(event: SandboxEvent, level: RequestLogOptions['level']): Line | undefined {
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
    case 'lesson.started':
      return log => log.info({ requestId, issuer: event.issuer }, `lesson ${event.lesson} started at ${event.issuer}`);
    case 'task.done':
      return log => log.info({ requestId, issuer: event.issuer }, `task ${event.task} of ${event.lesson} is done`);
    case 'token.issued': {
      const { tokenType, client_id, sub, scope, grant_type, tokenId } = event;
      return level === 'debug'
        ? log => log.debug({ requestId, tokenType, client_id, sub, scope, grant_type, tokenId }, 'token issued')
        : undefined;
    }
    default:
      return undefined;
  }
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
