import { write as writeTo } from 'node:fs';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Correlation } from './correlation.ts';
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

/** A file descriptor as the destination of a log. */
export interface LogFile {
  write(line: string): void;
  /** Resolves when all lines are in the file or were given up. */
  flush(): Promise<void>;
}

/** `fs.write`, or its replacement in tests. */
export type WriteBytes = (
  fd: number,
  bytes: Uint8Array,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

const enough = 16_384;
const idleMilliseconds = 50;
/** Most characters that wait while nothing can be written, for example because nobody reads a pipe. */
const mostWaiting = 1_000_000;
const retries = 20;

/**
 * Writes without waiting, many lines at a time. Lines that cannot be written, for example on a full disk, are given up;
 * `lost` gets their number once the file takes lines again. pino's own stream would retry forever, in a loop that stops
 * the process.
 */
export function createLogFile(
  fd: number,
  lost: (lines: number, error: string) => void,
  writeBytes: WriteBytes = (to, bytes, done) => writeTo(to, bytes, done),
): LogFile {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  const gone = { lines: 0, error: '' };

  function giveUp(text: string, error: string): void {
    gone.lines += text.split('\n').length - 1;
    gone.error = error;
  }
  async function writeWaiting(): Promise<void> {
    do {
      const text = waiting;
      waiting = '';
      const failure = await writeAll(fd, Buffer.from(text), writeBytes);
      if (failure !== undefined) giveUp(text, failure);
      else if (gone.lines > 0) lost(...takeGone());
    } while (waiting.length >= enough); // a write for each few lines would cost more than the requests they are about
    writing = undefined;
    if (waiting !== '') writeSoon();
  }
  function takeGone(): [number, string] {
    const { lines, error } = gone;
    gone.lines = 0;
    return [lines, error];
  }
  function writeSoon(): void {
    timer ??= setTimeout(start, idleMilliseconds).unref();
  }
  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting !== '') writing ??= writeWaiting(); // with nothing to write, the promise would settle before it is assigned, and would never be cleared
  }
  return {
    write(line) {
      if (waiting.length + line.length > mostWaiting) return giveUp(line, 'the output is too slow');
      waiting += line;
      if (waiting.length >= enough) start();
      else writeSoon();
    },
    async flush() {
      do {
        start();
        await writing;
      } while (waiting !== '');
    },
  };
}

/** Undefined if everything was written, otherwise the error. Retries while the file is blocked for a moment. */
async function writeAll(fd: number, bytes: Uint8Array, writeBytes: WriteBytes): Promise<string | undefined> {
  let begin = 0;
  let failures = 0;
  while (begin < bytes.length) {
    const { error, written } = await writeOnce(fd, bytes.subarray(begin), writeBytes);
    begin += written;
    if (error === null) failures = 0;
    else if (error.code !== 'EAGAIN' || ++failures > retries) return error.message;
    else await new Promise(resolve => setTimeout(resolve, idleMilliseconds));
  }
  return undefined;
}

function writeOnce(
  fd: number,
  bytes: Uint8Array,
  writeBytes: WriteBytes,
): Promise<{ readonly error: NodeJS.ErrnoException | null; readonly written: number }> {
  return new Promise(resolve => writeBytes(fd, bytes, (error, written = 0) => resolve({ error, written })));
}
