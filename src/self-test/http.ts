import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  Agent as PlainAgent,
  request as requestPlainly,
} from 'node:http';
import { type RequestOptions, request as requestByTls, Agent as TlsAgent } from 'node:https';
import { isIP } from 'node:net';
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

export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The way to the server: real connections, whatever name the issuer has. */
export interface Http {
  /** @throws BrokenPromise where the address is another server's, or nothing answers */
  send(url: string | URL, sent?: TestRequest): Promise<TestAnswer>;
  close(): void;
}

const patience = 30_000;

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
    const agent = door.isSecure ? new TlsAgent({ keepAlive: true, ...trust, ...identity }) : keptAlive();
    agents.set(identity, agent);
    return agent;
  }

  return {
    send(url, { method = 'GET', headers = {}, body, identity } = {}) {
      const target = URL.canParse(url) ? new URL(url) : undefined;
      if (target?.origin !== origin) throw new BrokenPromise(`${url} is no address of ${origin}`);
      const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const options: RequestOptions = {
        ...{ host: door.address, port: door.port, path: target.pathname + target.search, method },
        agent: agentFor(identity),
        timeout: patience,
        headers: { Accept: 'application/json', ...length, ...headers, ...door.headers, Host: host },
      };
      return exchange(door.isSecure ? requestByTls : requestPlainly, options, body);
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

function keptAlive(): PlainAgent {
  return new PlainAgent({ keepAlive: true });
}

type Request = (options: RequestOptions, onResponse: (response: IncomingMessage) => void) => ClientRequest;

function exchange(send: Request, options: RequestOptions, body: string | undefined): Promise<TestAnswer> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new BrokenPromise(`no answer: ${error.message}`));
    const request = send(options, response => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    request.on('timeout', () => request.destroy(new Error(`nothing came within ${patience / 1000} s`)));
    request.on('error', fail);
    request.end(body);
  });
}
