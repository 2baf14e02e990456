import type { Request } from 'express';
import { describe } from './challenge.ts';
import { asSent } from './compared.ts';
import { Problem } from './problem.ts';

const maxBodyBytes = 256 * 1024;

/**
 * Reads the JSON value of a request body: 415 for another media type, 413 over 256 KiB, 400 for a body that is not JSON.
 * A body that an outer `express.json()` has parsed is used as it is.
 */
export async function readJson(request: Request): Promise<unknown> {
  checkMediaType(request);
  if (request.body !== undefined) return request.body;
  const bytes = await readBytes(request);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw bytes.length === 0 ? emptyBody() : notJson(error);
  }
}

function checkMediaType({ headers }: Request): void {
  const type = headers['content-type'];
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
    throw new Problem(
      415,
      'body_type_unsupported',
      `the Content-Type is ${describe(type)}; expected application/json`,
      { headers: { Accept: 'application/json' }, sent: asSent('Content-Type', type), expected: 'application/json' },
    );
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new Problem(
      415,
      'body_encoding_unsupported',
      `the Content-Encoding is ${describe(encoding)}; expected none`,
      { headers: { 'Accept-Encoding': 'identity' }, sent: asSent('Content-Encoding', encoding), expected: 'none' },
    );
  }
}

function emptyBody(): Problem {
  return new Problem(400, 'body_empty', 'the body is empty; expected JSON', {
    sent: 'an empty body',
    expected: 'a JSON object',
  });
}

function notJson(error: unknown): Problem {
  return new Problem(400, 'body_malformed', 'the body is not well-formed JSON in UTF-8', {
    sent: asSent('body', error instanceof Error ? error.message : undefined),
    expected: 'well-formed JSON in UTF-8',
  });
}

function tooLarge(sent: string): Problem {
  return new Problem(413, 'body_too_large', `the body is larger than ${maxBodyBytes} bytes`, {
    sent,
    expected: `at most ${maxBodyBytes} bytes`,
  });
}

function cutOff(received: number, announced: string | undefined): Problem {
  return new Problem(400, 'body_cut_off', 'the body ended early', {
    sent: `${received} bytes, then the connection ended`,
    expected: announced === undefined ? 'the whole body' : `${announced} bytes, as its Content-Length says`,
  });
}

/**
 * Collects the body up to the limit. After a refusal the rest is read and thrown away, so that the client receives the
 * answer.
 */
function readBytes(request: Request): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const announced = request.headers['content-length'];
    const refuse = (sent: string) => {
      request.removeAllListeners('data').resume();
      reject(tooLarge(sent));
    };
    if (Number(announced) > maxBodyBytes) return refuse(`${announced} bytes`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    const endEarly = () => reject(cutOff(size, announced));
    // the connection may have closed while the token was checked, and `close` is not emitted again
    if (request.destroyed) return endEarly();
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > maxBodyBytes) return refuse(`more than ${maxBodyBytes} bytes`);
      chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', endEarly).on('close', endEarly);
  });
}
