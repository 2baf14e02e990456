import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Exchange, RecordedBody } from '../../base/events/exchange.ts';
import { contextOf, type Middleware, type RequestContext, type Sent } from './request-context.ts';

/** Chunks of a body as they arrive, up to the part that is kept. */
interface Received {
  readonly chunks: Buffer[];
  kept: number;
  bytes: number;
}

/** Bytes kept of a body. A longer body is cut and marked as cut. */
const mostBodyBytes = 64 * 1024;
const mostUrl = 16 * 1024;
const received = Symbol('received body');
type Tapped = IncomingMessage & { [received]?: Received };

/** Watches the chunks the parser hands over without changing how the body is read. */
export function tapRequestBody(req: IncomingMessage): void {
  const { headers } = req;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  const body: Received = { chunks: [], kept: 0, bytes: 0 };
  (req as Tapped)[received] = body;
  const push = req.push;
  req.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (Buffer.isBuffer(chunk)) keep(body, chunk);
    return push.call(req, chunk, encoding);
  };
}

function keep(body: Received, chunk: Buffer): void {
  body.bytes += chunk.length;
  if (body.kept >= mostBodyBytes) return;
  const part = body.kept + chunk.length > mostBodyBytes ? chunk.subarray(0, mostBodyBytes - body.kept) : chunk;
  body.chunks.push(part);
  body.kept += part.length;
}

/** Records answers of the sample backend, which writes each with one `end`. */
export const tapResponse: Middleware = (req, res, next) => {
  const { end } = res;
  // the overloads are Node's; these are the arguments our backend and `send` use
  res.end = ((body: unknown, ...rest: unknown[]) => {
    contextOf(req).sent = { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : '' };
    return (end as (...all: unknown[]) => ServerResponse).call(res, body, ...rest);
  }) as typeof res.end;
  next();
};

/** Makes the record of a finished request. */
export type Recorder = (req: IncomingMessage, res: ServerResponse, url: string, context: RequestContext) => Exchange;

/** The recorder while recording is off: only the URL. */
export const onlyUrl: Recorder = (_req, _res, url) => ({ url, ip: '', requestHeaders: '', responseHeaders: '' });

/** Keeps the headers, and the first part of both bodies. */
export const recordAll: Recorder = (req, res, url, { sent }) => ({
  url: url.length > mostUrl ? url.slice(0, mostUrl) : url,
  ip: req.socket.remoteAddress ?? '',
  requestHeaders: (url.includes('/_sandbox') ? withoutToken(req.rawHeaders) : req.rawHeaders).join('\n'),
  requestBody: withoutState(url, bodyReceived(req)),
  responseHeaders: responseHeaders(res, sent),
  responseBody: sent === undefined ? undefined : bodySent(sent.body),
});

/** A state has private keys and refresh tokens, which no name of a member marks as secret. */
function withoutState(url: string, body: RecordedBody | undefined): RecordedBody | undefined {
  return body !== undefined && /\/_sandbox\/state\/?(?:\?|$)/.test(url) ? { text: '***', bytes: body.bytes } : body;
}

/** Hides the token of the control API, which must not appear in an export. */
function withoutToken(raw: readonly string[]): readonly string[] {
  return raw.map((each, index) => (index % 2 === 1 && /^authorization$/i.test(raw[index - 1] ?? '') ? '***' : each));
}

/** The body of the request. If it was not read to its end, `Content-Length` tells how long it is. */
function bodyReceived(req: IncomingMessage): RecordedBody | undefined {
  const body = (req as Tapped)[received];
  if (body === undefined || body.bytes === 0) return undefined;
  const [first] = body.chunks;
  const kept = body.chunks.length === 1 && first !== undefined ? first : Buffer.concat(body.chunks);
  const announced = Number(req.headers['content-length']);
  return recorded(kept, announced > body.bytes ? announced : body.bytes);
}

function bodySent(body: string | Buffer): RecordedBody | undefined {
  if (body.length === 0) return undefined;
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  if (bytes <= mostBodyBytes && typeof body === 'string') return { text: body, bytes };
  // copied as bytes, because a slice of a string would keep the whole string in memory
  const start = typeof body === 'string' ? Buffer.from(body.slice(0, mostBodyBytes)) : body;
  return recorded(start.subarray(0, mostBodyBytes), bytes);
}

/** `kept` is the first part of a body that has `bytes` bytes. */
function recorded(kept: Buffer, bytes: number): RecordedBody {
  const text = kept.toString('utf8');
  return bytes > kept.length ? { text, bytes, cut: true } : { text, bytes };
}

function responseHeaders(res: ServerResponse, sent: Sent | undefined): string {
  if (sent?.headers === undefined) {
    return Object.entries(res.getHeaders())
      .flatMap(([name, value]) => [value].flat().flatMap(each => [name, String(each)]))
      .join('\n');
  }
  const { headers, cookies = [] } = sent;
  return cookies.length === 0
    ? headers.join('\n')
    : [...headers, ...cookies.flatMap(cookie => ['Set-Cookie', cookie])].join('\n');
}
