import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Emit, EventFact } from '../../base/events/event.ts';
import type { Reason } from '../../protocol/errors.ts';
import { shorten } from '../../protocol/parameters.ts';

/** A request that Node's parser gave up, so that no handler sees it. */
export interface ParserError extends Error {
  readonly code?: string;
  /** The bytes that were parsed last. They begin with the request line only if the request is short. */
  readonly rawPacket?: Buffer;
}

/** Takes a connection whose request could not be read. */
export type TakeUnread = (error: ParserError, socket: Duplex) => void;

interface UnreadOptions {
  readonly maxHeaderSize: number;
  readonly nextId: () => string;
  readonly emit: (requestId: string) => Emit;
  readonly explanationOf?: ((requestId: string) => string | undefined) | undefined;
}

/** Answers a request that Node could not read, as Node itself would, and adds it to the log with the reason. */
export function createUnreadTaker({ maxHeaderSize, nextId, emit, explanationOf }: UnreadOptions): TakeUnread {
  const answered = new WeakSet<Duplex>();
  return (error, socket) => {
    if (answered.has(socket)) return; // the rest of what the client sends
    // a client that went away, or that was slow: nothing was sent that could be wrong
    if (!isParserError(error) || !canAnswer(socket)) return void socket.destroy();
    answered.add(socket);
    const id = nextId();
    const refusal = refusalOf(error, maxHeaderSize);
    const { status, description } = refusal;
    const body = JSON.stringify({ error: 'invalid_request', error_description: description });
    const explanation = explanationOf?.(id);
    const headers = [
      ...['Content-Type', 'application/json', 'Content-Length', `${Buffer.byteLength(body)}`, 'Connection', 'close'],
      ...['X-Request-Id', id, ...(explanation === undefined ? [] : ['Link', `<${explanation}>; rel="help"`])],
    ];
    const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'), () =>
      closeSoon(socket),
    );
    const told = emit(id);
    told({ type: 'error.returned', endpoint: 'unknown', form: 'json', error: 'invalid_request', ...refusal });
    told(completed(error, socket, { status, headers: headers.join('\n'), body }));
  };
}

/** Milliseconds for what the client still sends: a connection that is closed before resets, and the answer is lost. */
const patience = 1000;

function closeSoon(socket: Duplex): void {
  setTimeout(() => socket.destroy(), patience).unref();
}

function isParserError({ code = '' }: ParserError): boolean {
  return code.startsWith('HPE_');
}

/** Not in the middle of an answer, whose client would take ours for a part of it. Node has no public name for that answer. */
function canAnswer(socket: Duplex): boolean {
  const answer = '_httpMessage' in socket ? (socket._httpMessage as { headersSent?: boolean } | null) : undefined;
  return socket.writable && answer?.headersSent !== true;
}

interface UnreadRefusal {
  readonly status: number;
  readonly reason: Reason;
  readonly description: string;
  readonly sent: string;
  readonly expected: string;
}

function refusalOf({ code, rawPacket, message }: ParserError, maxHeaderSize: number): UnreadRefusal {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return {
      status: 431,
      reason: 'header_too_large',
      description: `the address and the headers of the request have more than ${maxHeaderSize} bytes: send a shorter token or fewer cookies, or raise MAX_HEADER_SIZE`,
      sent: `more than ${maxHeaderSize} bytes`,
      expected: `at most ${maxHeaderSize} bytes of address and headers`,
    };
  }
  const isTls = rawPacket?.[0] === 0x16 && rawPacket[1] === 0x03;
  return {
    status: 400,
    reason: 'request_malformed',
    description: isTls
      ? 'this port speaks HTTP without TLS: write http:// in place of https:// in the address, or start with TLS=self-signed'
      : `the request is no HTTP/1.1: ${message.replace(/^Parse Error: /, '')}`,
    sent: isTls ? 'a TLS handshake (https://)' : shorten(firstLine(rawPacket), 200),
    expected: isTls ? 'http://' : 'a request line and headers as in RFC 9112',
  };
}

function firstLine(packet: Buffer | undefined): string {
  const [line = ''] = (packet ?? Buffer.of()).subarray(0, 2000).toString('latin1').split(/\r?\n/, 1);
  return line.replace(/[^\x20-\x7e]/g, '?');
}

/** The record of the request, as far as it is known. */
function completed(
  { rawPacket }: ParserError,
  socket: Duplex,
  answer: { readonly status: number; readonly headers: string; readonly body: string },
): EventFact {
  const [, method = '', url = ''] = /^([A-Z]{3,20}) (\/\S*)/.exec(firstLine(rawPacket)) ?? [];
  return {
    type: 'request.completed',
    endpoint: 'unknown',
    method: method || '?',
    path: url.split('?', 1)[0]?.slice(0, 200) || '?',
    status: answer.status,
    milliseconds: 0,
    exchange: {
      url: url || '?',
      ip: (socket as Partial<Socket>).remoteAddress ?? '',
      requestHeaders: '',
      responseHeaders: answer.headers,
      responseBody: { text: answer.body, bytes: Buffer.byteLength(answer.body) },
    },
  };
}
