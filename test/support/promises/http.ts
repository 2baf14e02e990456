import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { isIP } from 'node:net';
import { defined } from '../../../src/base/defined.ts';
import { send, type WireAnswer } from '../../../src/server/wire/send.ts';
import { BrokenPromise } from './demand.ts';

/** Where the server listens, on this machine. */
export interface Door {
  readonly port: number;
  /** The CA to trust, PEM; undefined without HTTPS. */
  readonly ca: string | undefined;
}

/** A client certificate and its key, PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** A request to the server under test; GET by default. */
export interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly identity?: Identity | undefined;
}

export type TestAnswer = Pick<WireAnswer, 'status' | 'headers' | 'headersDistinct' | 'text'>;

/** Sends requests to the server under test by its network address, for any host name in the issuer. */
export type Http = ReturnType<typeof createHttp>;

/** Opens connections to `door`; only URLs of the issuer's origin are allowed. */
export function createHttp(issuer: string, door: Door) {
  const { origin, hostname, host } = new URL(issuer);
  const isSecure = door.ca !== undefined;
  const agents = new Map<Identity | undefined, PlainAgent>();
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const trust = {
    ...defined({ ca: door.ca }),
    ...(isIP(name) === 0 ? { servername: name } : {}),
  };

  function agentFor(identity: Identity | undefined): PlainAgent {
    const known = agents.get(identity);
    if (known !== undefined) return known;
    const agent = isSecure
      ? new TlsAgent({ keepAlive: true, ...trust, ...identity })
      : new PlainAgent({ keepAlive: true });
    agents.set(identity, agent);
    return agent;
  }

  return {
    /** @throws BrokenPromise if the URL belongs to a different server, or if the server does not answer */
    async send(url: string | URL, { method, headers, body, identity }: TestRequest = {}): Promise<TestAnswer> {
      const target = URL.canParse(url) ? new URL(url) : undefined;
      if (target?.origin !== origin) throw new BrokenPromise(`${url} is not a URL of ${origin}`);
      target.protocol = isSecure ? 'https:' : 'http:'; // a proxy may terminate TLS
      try {
        return await send(target, {
          method,
          body,
          hostname: '127.0.0.1',
          port: door.port,
          agent: agentFor(identity),
          timeoutSeconds: 30,
          headers: { Accept: 'application/json', ...headers, Host: host },
        });
      } catch (error) {
        throw new BrokenPromise(`${url} did not answer: ${error instanceof Error ? error.message : error}`);
      }
    },
    close(): void {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
