import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { defined } from '../defined.ts';

/** Whose certificates are believed. */
export interface Trust {
  /** PEM of certificates that are trusted in place of those that Node knows. */
  readonly ca?: string;
  /** Any certificate will do. */
  readonly isInsecure?: boolean;
}

export interface Asking {
  /** Default GET. */
  readonly method?: string;
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
 * One request on a connection of its own; redirects are not followed.
 * @throws what Node's request ended with, or that there was no answer in time
 */
export async function send(url: URL, asking: Asking, trust: Trust): Promise<Answered> {
  const { method = 'GET', headers = {}, body, timeoutSeconds = 10 } = asking;
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const options = { method, headers: { ...headers, ...length }, agent: false, ...tlsOf(url, trust) };
  const sent = url.protocol === 'https:' ? requestOverTls(url, options) : requestPlain(url, options);
  let late: Error | undefined;
  const timer = setTimeout(() => {
    late = new Error(`no answer in ${timeoutSeconds} s`);
    sent.destroy(late);
  }, timeoutSeconds * 1000);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject).end(body);
    });
    return { status: response.statusCode ?? 0, headers: response.headers, text: await readText(response) };
  } catch (error) {
    throw late ?? error; // in the middle of an answer, Node says ECONNRESET
  } finally {
    clearTimeout(timer);
  }
}

function tlsOf(url: URL, { ca, isInsecure = false }: Trust): object {
  if (url.protocol !== 'https:') return {};
  return { rejectUnauthorized: !isInsecure, ...defined({ ca }) };
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
