import type { Request } from 'express';
import { describe } from './challenge.ts';
import { Problem } from './problem.ts';

const maxBodyBytes = 256 * 1024;

/**
 * The JSON value of a request body: 415 for another media type, 413 over 256 KiB, 400 for what is not JSON.
 * A body that an `express.json()` further out has already read is taken as it is.
 */
export async function readJson(request: Request): Promise<unknown> {
  checkMediaType(request);
  if (request.body !== undefined) return request.body;
  const bytes = await readBytes(request);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Problem(
      400,
      bytes.length === 0 ? 'the body is empty; expected JSON' : 'the body is not well-formed JSON in UTF-8',
    );
  }
}

function checkMediaType({ headers }: Request): void {
  const type = headers['content-type'];
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
    throw unsupported(`the Content-Type is ${describe(type)}; expected application/json`, {
      Accept: 'application/json',
    });
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw unsupported(`the Content-Encoding is ${describe(encoding)}; expected none`, {
      'Accept-Encoding': 'identity',
    });
  }
}

function unsupported(detail: string, headers: Record<string, string>): Problem {
  return new Problem(415, detail, { headers });
}

/** Collects the body up to the limit; what follows a refusal is read on and thrown away, so that the client hears the answer. */
function readBytes(request: Request): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const tooLarge = () => {
      request.removeAllListeners('data').resume();
      reject(new Problem(413, `the body is larger than ${maxBodyBytes} bytes`));
    };
    if (Number(request.headers['content-length']) > maxBodyBytes) return tooLarge();
    const cutOff = () => reject(new Problem(400, 'the body ended early'));
    const chunks: Uint8Array[] = [];
    let size = 0;
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > maxBodyBytes) return tooLarge();
      chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', cutOff).on('close', cutOff);
  });
}
