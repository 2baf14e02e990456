import { localTime } from '../../base/text/local-time.ts';
import { isRecord, recordIn } from '../../base/text/record.ts';
import { send, type WireAnswer } from './send.ts';

/** A Grantbox that answers, as its `/health` says. */
export interface RunningGrantbox {
  readonly version: string;
  /** Unix milliseconds, by the clock of its machine. */
  readonly started: number;
  /** The issuer that answers; absent in the health of older versions. */
  readonly at?: RunningIssuer;
}

/** An issuer, as browsers reach it. */
export interface RunningIssuer {
  /** The `iss` of its tokens, which some presets keep from the provider. */
  readonly issuer: string;
  /** The URL before each of its paths, `/_sandbox` among them. */
  readonly url: URL;
}

/** Below the issuer (OpenID Connect Discovery 1.0 §4). */
export const discoveryPath = '/.well-known/openid-configuration';

/** The URL of the metadata: below the issuer, unless that is the address of the provider itself. */
export function metadataUrl({ issuer, url }: RunningIssuer): URL {
  const own = URL.canParse(issuer) && new URL(issuer).origin === url.origin ? issuer : url.href;
  return new URL(own.replace(/\/+$/, '') + discoveryPath);
}

/**
 * The URL of an issuer for a caller that reached its health at `base`: the host that the caller knows, with the path of the
 * issuer.
 */
export function reachedAt(base: string, { url }: RunningIssuer): string {
  return new URL(base).origin + url.pathname.replace(/\/+$/, '');
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
  const { version, started, issuer, url } = said;
  // a terminal prints the version
  if (typeof version !== 'string' || !/^[\w.+-]{1,50}$/.test(version)) return undefined;
  const at = typeof started === 'string' ? Date.parse(started) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  const isKnown = typeof issuer === 'string' && typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url);
  return { version, started: at, ...(isKnown ? { at: { issuer, url: new URL(url) } } : {}) };
}

/** `Grantbox 0.1.0, which started at 14:03:10`. `now` in Unix milliseconds. */
export function named({ version, started }: RunningGrantbox, now: number): string {
  return `Grantbox ${version}, which started at ${localTime(started, now)}`;
}
