import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlainly } from 'node:http';
import type { RequestOptions } from 'node:https';

/** One HTTP request, with the option names of Node: `hostname`, `port` and `path` override the URL. */
export interface WireRequest
  extends Pick<RequestOptions, 'method' | 'hostname' | 'port' | 'path' | 'lookup' | 'signal'>,
    Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'> {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | undefined;
  /** Without an agent, the connection is closed after the answer. */
  readonly agent?: RequestOptions['agent'];
  /** Seconds for the whole exchange, to the last byte of the answer. */
  readonly timeoutSeconds?: number;
  /** The longest body of an answer. */
  readonly maxBytes?: number;
}

/** An answer, read to its end. */
export interface WireAnswer {
  readonly status: number;
  /** Names in lower case; Node joins repeated headers. */
  readonly headers: IncomingHttpHeaders;
  /** Names in lower case; repeated headers stay separate. */
  readonly headersDistinct: NodeJS.Dict<string[]>;
  /** UTF-8. */
  readonly text: string;
}

/** The answer is longer than `maxBytes`. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/**
 * Sends one request. It follows no redirects and uses no proxy.
 * @throws the error of Node's request, an Error after the timeout, or AnswerTooLong
 */
export async function send(url: URL | string, sent: WireRequest = {}): Promise<WireAnswer> {
  const { body = '', headers = {}, timeoutSeconds, maxBytes = Number.POSITIVE_INFINITY, ...others } = sent;
  const target = new URL(url);
  const { request: open } = target.protocol === 'https:' ? await import('./over-tls.ts') : { request: requestPlainly };
  // Node sets the length of a body only for methods that usually have one
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const request = open(target, {
    agent: false,
    ...others,
    headers: { ...length, ...headers } as RequestOptions['headers'],
  });
  let late: Error | undefined;
  const giveUp = () => {
    late = new Error(`no response in ${timeoutSeconds} s`);
    request.destroy(late);
  };
  const timer = timeoutSeconds === undefined ? undefined : setTimeout(giveUp, timeoutSeconds * 1000);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).on('error', reject).end(body);
    });
    const { statusCode = 0, headersDistinct } = response;
    return { status: statusCode, headers: response.headers, headersDistinct, text: await readText(response, maxBytes) };
  } catch (error) {
    request.destroy();
    throw late ?? error; // in the middle of an answer, Node reports ECONNRESET
  } finally {
    clearTimeout(timer);
  }
}

async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const tooLong = new AnswerTooLong(`the response has more than ${maxBytes} bytes`);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLong;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLong;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
