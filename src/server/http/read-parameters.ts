import type { IncomingMessage } from 'node:http';
import { invalidRequest, type OAuthError } from '../../protocol/errors.ts';
import { parseParameters, type RequestParameters, rejectUnreadable, shorten } from '../../protocol/parameters.ts';
import { requireOwnOrigin } from './origin-check.ts';

/** Default limit of a body, in bytes. */
const mostBytes = 64 * 1024;
const formType = 'application/x-www-form-urlencoded';

/** The raw query of a request, without the question mark. */
export function rawQuery(req: IncomingMessage): string {
  const url = req.url ?? '';
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

/** The parameters of a GET are its query, those of a POST its form body; the two are never mixed (RFC 6749 §3.2). */
export async function readParameters(req: IncomingMessage): Promise<RequestParameters> {
  if (req.method !== 'POST') return parseParameters(rawQuery(req));
  const parameters = parseParameters(await readForm(req));
  const query = rawQuery(req);
  return query === '' ? parameters : { ...parameters, inQuery: new Set(new URLSearchParams(query).keys()) };
}

/** The parameters of the query and of the form body together, for a provider that takes a POST with either. */
export async function readAnywhere(req: IncomingMessage): Promise<RequestParameters> {
  const form = req.method === 'POST' ? await readForm(req) : '';
  return parseParameters([rawQuery(req), form].filter(text => text !== '').join('&'));
}

/**
 * The form body, as text.
 * @throws invalid_request with 415 for another content type, 413 before more than 64 KiB are read
 */
export function readForm(req: IncomingMessage): Promise<string> {
  return readBody(req, formType);
}

/**
 * The form of a page of ours.
 * @throws invalid_request with 403 for a page of another origin, 400 for fields that are not readable
 */
export async function readOwnForm(req: IncomingMessage): Promise<RequestParameters> {
  requireOwnOrigin(req);
  const form = parseParameters(await readForm(req));
  rejectUnreadable(form);
  return form;
}

/**
 * A body with this content type, as text.
 * @throws invalid_request with 415 for another content type, 413 before more than `most` bytes are read
 */
export function readBody(req: IncomingMessage, expected: string, most = mostBytes): Promise<string> {
  const length = Number(req.headers['content-length'] ?? 0);
  if (length > most) return Promise.reject(tooLarge(`${length} bytes`, most));
  const refused = refuseType(req, expected);
  if (refused !== undefined) return Promise.reject(refused);
  return collect(req, most);
}

function refuseType(req: IncomingMessage, expected: string): OAuthError | undefined {
  const type = req.headers['content-type'];
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    const details = {
      status: 415,
      sent: shorten(encoding, 40),
      expected: 'identity',
      headers: { 'Accept-Encoding': 'identity' },
    };
    return invalidRequest('content_type_unsupported', 'the body must not be compressed', details);
  }
  if (type?.split(';', 1)[0]?.trim().toLowerCase() === expected) return undefined;
  if (type === undefined && req.headers['transfer-encoding'] === undefined && !hasLength(req)) return undefined;
  const isWrongJson = expected === formType && type?.includes('json') === true;
  const description = `the body must be ${expected}${isWrongJson ? ', not JSON' : ''}`;
  const details = {
    status: 415,
    sent: shorten(type ?? 'no Content-Type', 100),
    expected,
    headers: { Accept: expected },
  };
  return invalidRequest('content_type_unsupported', description, details);
}

function hasLength(req: IncomingMessage): boolean {
  return Number(req.headers['content-length'] ?? 0) > 0;
}

function collect(req: IncomingMessage, most: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const endEarly = (cause?: Error) => {
      if (req.readableEnded) return; // every connection closes: an error that nobody needs would cost more than the rest of this function
      reject(invalidRequest('body_malformed', 'the body ended early', { cause }));
    };
    // the connection may have closed before anybody read it, and `close` is not emitted again
    if (req.destroyed) return endEarly();
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) {
        req.removeAllListeners('data').pause();
        reject(tooLarge('more', most));
      } else {
        chunks.push(chunk);
      }
    });
    req.on('end', () => resolve(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString('utf8')));
    req.on('error', endEarly).on('close', endEarly);
  });
}

/** The rest of the body stays unread, so the connection cannot be used again. */
function tooLarge(sent: string, most: number): OAuthError {
  const details = { status: 413, sent, expected: `at most ${most} bytes`, headers: { Connection: 'close' } };
  return invalidRequest('body_too_large', `the body is larger than ${most} bytes`, details);
}

/**
 * The `Authorization` header of a request. Several are refused: Node keeps the first and drops the others, and any of
 * them could be the one that was meant (RFC 9110 §5.3).
 * @throws invalid_request
 */
export function onlyAuthorization({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const sent = rawHeaders.filter((name, index) => index % 2 === 0 && isAuthorization(name)).length;
  if (sent <= 1) return headers.authorization;
  const description = `there are ${sent} Authorization headers; send only one`;
  throw invalidRequest('authentication_methods_combined', description, {
    sent: `${sent} Authorization headers`,
    expected: 'one Authorization header',
  });
}

function isAuthorization(name: string): boolean {
  return name.length === 'authorization'.length && name.toLowerCase() === 'authorization';
}
