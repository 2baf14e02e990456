import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { isIP } from 'node:net';
import { send, type WireAnswer } from '../wire/send.ts';
import { BrokenPromise } from './demand.ts';

/** Where the server under test is reached. */
export interface Door {
  readonly address: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** The CA to trust, PEM; absent where its certificate was configured: then nobody here knows whom to trust. */
  readonly ca?: string;
  /** On each request: what makes it one of the self-test. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A client certificate and its key, PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly identity?: Identity | undefined;
}

export type TestAnswer = Pick<WireAnswer, 'status' | 'headers' | 'text'>;

/** The way to the server: real connections, whatever name the issuer has. */
export interface Http {
  /** @throws BrokenPromise where the address is another server's, or nothing answers */
  send(url: string | URL, sent?: TestRequest): Promise<TestAnswer>;
  close(): void;
}

export function createHttp(issuer: string, door: Door): Http {
  const { origin, hostname, host } = new URL(issuer);
  const agents = new Map<Identity | undefined, PlainAgent>();
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const trust = {
    ...(door.ca === undefined ? { rejectUnauthorized: false } : { ca: door.ca }),
    ...(isIP(name) === 0 ? { servername: name } : {}),
  };

  function agentFor(identity: Identity | undefined): PlainAgent {
    const known = agents.get(identity);
    if (known !== undefined) return known;
    const agent = door.isSecure
      ? new TlsAgent({ keepAlive: true, ...trust, ...identity })
      : new PlainAgent({ keepAlive: true });
    agents.set(identity, agent);
    return agent;
  }

  return {
    async send(url, { method, headers, body, identity } = {}) {
      const target = URL.canParse(url) ? new URL(url) : undefined;
      if (target?.origin !== origin) throw new BrokenPromise(`${url} is no address of ${origin}`);
      target.protocol = door.isSecure ? 'https:' : 'http:'; // something before the server may speak TLS for it
      try {
        return await send(target, {
          method,
          body,
          hostname: door.address,
          port: door.port,
          agent: agentFor(identity),
          timeoutSeconds: 30,
          headers: { Accept: 'application/json', ...headers, ...door.headers, Host: host },
        });
      } catch (error) {
        throw new BrokenPromise(`it did not answer: ${error instanceof Error ? error.message : error}`);
      }
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
