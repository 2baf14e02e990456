import { isRecord, recordIn } from '../../base/text/record.ts';
import type { Reloaded } from '../../sandbox/control/reload/reloaded.ts';
import type { ShortLived, ShortLivedConfig, ShortLivedOptions } from '../../sandbox/control/short-lived.ts';
import type { ConnectedMembers } from '../../sandbox/sandbox-members.ts';
import { type ConnectedIssuer, createConnectedIssuer, type WithRemote } from './connected-issuer.ts';
import { type ConnectOptions, createControlCalls, issuerUrl, readPage } from './control-calls.ts';

/** A sandbox that runs elsewhere. */
export interface ConnectedSandbox extends ConnectedIssuer, ConnectedMembers {
  /** The URL of its issuer, without a trailing slash. */
  readonly url: string;
  /**
   * Reads its configuration file again.
   * @throws TypeError if there is no file, or if the file has problems: then it is not used
   */
  reload(): Promise<Reloaded>;
  /**
   * Creates a separate issuer under `/i/<id>` within milliseconds, for a test or a worker.
   * @throws TypeError that names every invalid member, or if there are too many issuers
   */
  createIssuer(config?: ShortLivedConfig, options?: ShortLivedOptions): Promise<ConnectedShortLivedIssuer>;
}

/** An issuer created at run time. */
export interface ConnectedShortLivedIssuer extends ConnectedIssuer, ShortLived {
  /** The URL to reach it from here. It differs from `issuer` if browsers use a different name for the sandbox. */
  readonly url: string;
  /** Ends the issuer and deletes its state. No error if it has already ended. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** `connectSandbox`, with the calls of these extensions. */
export async function connectSandboxOf(
  extensions: readonly WithRemote[],
  url: string,
  options: ConnectOptions = {},
): Promise<ConnectedSandbox> {
  const base = await issuerUrl('connectSandbox', readAddress(url), options);
  const calls = createControlCalls(base, options);
  const { content } = await calls({ name: 'connectSandbox', method: 'GET', path: '' });
  if (!isRecord(content) || typeof content.issuer !== 'string')
    throw new Error(`connectSandbox: the server at ${base} is not a sandbox, or it is an older version`);
  const { issuer } = content;
  const discovery = () => readPage('connectSandbox', base, '/.well-known/openid-configuration', options);
  const metadata = async () => recordIn((await discovery()).text) ?? {};
  const there = { calls, base, connection: options, issuer, metadata };
  return {
    ...createConnectedIssuer(issuer, base, options, extensions),
    ...(Object.assign({}, ...extensions.map(each => each.remoteSandbox?.(there))) as ConnectedMembers),
    url: base,
    reload: async () => (await calls({ name: 'reload', method: 'POST', path: '/reload' })).content as Reloaded,
    async createIssuer(config = {}, said = {}) {
      const body = { ...said, config };
      const { content } = await calls({ name: 'createIssuer', method: 'POST', path: '/issuers', body });
      const made = content as ShortLived;
      const own = new URL(base).origin + new URL(made.issuer).pathname;
      const stopping = { name: 'stop', method: 'DELETE', path: `/issuers/${encodeURIComponent(made.id)}` } as const;
      const stop = async () => void (await calls({ ...stopping, mayBeMissing: true }));
      return {
        ...createConnectedIssuer(made.issuer, own, options, extensions),
        ...made,
        url: own,
        stop,
        [Symbol.asyncDispose]: stop,
      };
    },
  };
}

function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol))
    return url.origin + url.pathname.replace(/\/+$/, '');
  throw new TypeError(
    `connectSandbox: expected an address such as http://localhost:9000, found ${JSON.stringify(text)}`,
  );
}
