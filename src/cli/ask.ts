import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestOverTls } from 'node:https';
import { connectionFailure, noAnswerIn } from './connection-failure.ts';

/** Whose certificates are believed. */
export interface Trust {
  /** PEM of certificates that are trusted in place of those that Node knows. */
  readonly ca?: string;
  /** Any certificate will do. */
  readonly isInsecure?: boolean;
}

export interface Asking {
  /** Default GET. */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default 10. */
  readonly timeoutSeconds?: number;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** An answer is cut off here: no sandbox says as much, and what is not one may say anything. */
const mostCharacters = 8_000_000;

/**
 * One request; redirects are not followed.
 * @throws CommandFailure (code 2, or 1 for a certificate that is not trusted) where there is no answer
 */
export async function ask(url: URL, asking: Asking, trust: Trust): Promise<Answered> {
  const { method = 'GET', headers = {}, body, timeoutSeconds = 10 } = asking;
  const tls =
    url.protocol === 'https:'
      ? { rejectUnauthorized: trust.isInsecure !== true, ...(trust.ca === undefined ? {} : { ca: trust.ca }) }
      : {};
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const sent = send(url, { method, headers: { ...headers, ...length }, agent: false, ...tls });
  let late: Error | undefined;
  const timer = setTimeout(() => {
    late = new Error(noAnswerIn(timeoutSeconds));
    sent.destroy(late);
  }, timeoutSeconds * 1000);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject).end(body);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, text: await readText(response) };
  } catch (error) {
    throw connectionFailure(url, late ?? error); // in the middle of an answer, Node says ECONNRESET
  } finally {
    clearTimeout(timer);
  }
}

function send(url: URL, options: RequestOptions): ClientRequest {
  return url.protocol === 'https:' ? requestOverTls(url, options) : requestPlain(url, options);
}

async function readText(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const part of response) {
    text += part;
    if (text.length > mostCharacters) throw new Error(`the answer is longer than ${mostCharacters} characters`);
  }
  return text;
}
