import type { Reloaded } from '../control/reload/reloaded.ts';
import type { ShortLived, ShortLivedConfig, ShortLivedOptions } from '../control/short-lived.ts';
import { isRecord } from '../text/record.ts';
import { type ConnectedIssuer, createConnectedIssuer } from './connected-issuer.ts';
import { type ConnectOptions, type ControlCalls, createControlCalls } from './control-calls.ts';

/** A sandbox that runs elsewhere. */
export interface ConnectedSandbox extends ConnectedIssuer {
  /** Where it is reached, without a slash at its end. */
  readonly url: string;
  /**
   * Reads its configuration file again.
   * @throws TypeError where it has problems, and is not used; and where there is no file
   */
  reload(): Promise<Reloaded>;
  /**
   * An issuer of its own under `/i/<id>`, in milliseconds, as each test or each worker wants one.
   * @throws TypeError that names every member that is wrong; and where there are too many already
   */
  createIssuer(config?: ShortLivedConfig, options?: ShortLivedOptions): Promise<ConnectedShortLivedIssuer>;
}

/** An issuer that was made at run time. */
export interface ConnectedShortLivedIssuer extends ConnectedIssuer, ShortLived {
  /** Where it is reached: another address than its issuer where the sandbox has one name for browsers and one for you. */
  readonly url: string;
  /** Ends it, with everything it knows. One that has ended already is no error. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Drives a sandbox that runs elsewhere as `createSandbox` does one in this process. `url` is where it, or one of its issuers, is
 * reached from here.
 * @throws TypeError for an address that is none, or a token that is refused; Error where no sandbox answers
 */
export async function connectSandbox(url: string, options: ConnectOptions = {}): Promise<ConnectedSandbox> {
  const base = readAddress(url);
  const calls = createControlCalls(base, options);
  const { content } = await calls({ name: 'connectSandbox', method: 'GET', path: '' });
  if (!isRecord(content) || typeof content.issuer !== 'string')
    throw new Error(`connectSandbox: the server at ${base} is not a sandbox, or it is an older version`);
  return {
    ...createConnectedIssuer(content.issuer, base, options),
    url: base,
    reload: async () => (await calls({ name: 'reload', method: 'POST', path: '/reload' })).content as Reloaded,
    createIssuer: (config = {}, said = {}) => createShortLived({ base, calls, options }, config, said),
  };
}

interface Connection {
  readonly base: string;
  readonly calls: ControlCalls;
  readonly options: ConnectOptions;
}

async function createShortLived(
  { base, calls, options }: Connection,
  config: ShortLivedConfig,
  said: ShortLivedOptions,
): Promise<ConnectedShortLivedIssuer> {
  const body = { ...said, config };
  const { content } = await calls({ name: 'createIssuer', method: 'POST', path: '/issuers', body });
  const made = content as ShortLived;
  const url = new URL(base).origin + new URL(made.issuer).pathname;
  const issuer = createConnectedIssuer(made.issuer, url, options);
  async function stop(): Promise<void> {
    const path = `/issuers/${encodeURIComponent(made.id)}`;
    await calls({ name: 'stop', method: 'DELETE', path, mayBeMissing: true });
  }
  return { ...issuer, ...made, url, stop, [Symbol.asyncDispose]: stop };
}

function pathOf(base: string): string {
  return new URL(base).pathname.replace(/\/+$/, '');
}

/** Without a slash at its end. */
function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol)) return url.origin + pathOf(url.href);
  throw new TypeError(
    `connectSandbox: expected an address such as http://localhost:9000, found ${JSON.stringify(text)}`,
  );
}
