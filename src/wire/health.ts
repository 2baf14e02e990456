import { localTime } from '../text/local-time.ts';
import { isRecord, recordIn } from '../text/record.ts';
import { send, type WireAnswer } from './send.ts';

/** A Grantbox that answers, as its `/health` says. */
export interface RunningGrantbox {
  readonly version: string;
  /** Unix milliseconds, by the clock of its machine. */
  readonly started: number;
}

/**
 * Sends GET to the address of a health check. It does not verify the certificate, because the request has no secret and nobody
 * trusts the answer.
 */
export function askHealth(url: string, timeoutSeconds: number): Promise<WireAnswer> {
  return send(url, {
    headers: { Host: 'localhost' }, // every sandbox accepts this name
    rejectUnauthorized: false,
    servername: 'localhost',
    timeoutSeconds,
    maxBytes: 1_000_000,
  });
}

/** Reads the body of `/health`; undefined if no Grantbox wrote it. */
export function grantboxIn(text: string): RunningGrantbox | undefined {
  const said = recordIn(text)?.grantbox;
  if (!isRecord(said)) return undefined;
  const { version, started } = said;
  // a terminal prints the version
  if (typeof version !== 'string' || !/^[\w.+-]{1,50}$/.test(version)) return undefined;
  const at = typeof started === 'string' ? Date.parse(started) : Number.NaN;
  return Number.isNaN(at) ? undefined : { version, started: at };
}

/** `Grantbox 0.1.0, which started at 14:03:10`. `now` in Unix milliseconds. */
export function named({ version, started }: RunningGrantbox, now: number): string {
  return `Grantbox ${version}, which started at ${localTime(started, now)}`;
}
