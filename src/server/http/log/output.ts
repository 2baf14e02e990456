import pino, { type DestinationStream, type Logger } from 'pino';
import type { Correlation } from './correlation.ts';
import { createLogFile } from './log-file.ts';
import type { RequestLogOptions } from './log-options.ts';

/** Where lines go. Loaded with the first line, because pino is large. */
export interface Output {
  readonly logger: Logger;
  flush(): Promise<void>;
}

type IdsOf = (requestId: string) => Correlation | undefined;

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

/** Creates the logger. `idsOf` gives the ids that a request brought. */
export async function createOutput({ destination, ...options }: RequestLogOptions, idsOf: IdsOf): Promise<Output> {
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
  const settings = { level, base: null, redact, timestamp: pino.stdTimeFunctions.isoTime };
  if (format === 'pretty') return pino(settings, await prettified(stream));
  // the names that log collectors know
  const named = ({ requestId, ...facts }: Record<string, unknown>) =>
    typeof requestId === 'string' ? { request_id: requestId, ...facts, ...idsOf(requestId) } : facts;
  return pino({ ...settings, formatters: { log: named } }, stream);
}

async function prettified(stream: DestinationStream): Promise<DestinationStream> {
  const { default: pinoPretty } = await import('pino-pretty');
  const pretty = pinoPretty.prettyFactory({ colorize: true, ignore: 'requestId', singleLine: true });
  return { write: line => stream.write(pretty(line)) };
}
