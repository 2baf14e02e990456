import type { ServerResponse } from 'node:http';
import { promises as stream } from 'node:stream';
import { failRequest } from './request-context.ts';

/**
 * Sends a long text as the body of an answer whose head is set. Asks for the next chunk when the reader has taken the
 * previous ones, and for no more after the reader hung up.
 * @throws errors of the text; the connection is closed then, because the answer is incomplete
 */
export async function sendText(res: ServerResponse, text: AsyncIterable<string>): Promise<void> {
  if (res.req.method === 'HEAD') {
    res.end();
    return;
  }
  try {
    await stream.pipeline(noted(text, res), res);
  } catch (error) {
    if (!isHangUp(error)) throw error;
  }
}

/** Characters of a chunk: a page in thousands of short pieces would cost more to write than to make. */
const chunkLength = 64 * 1024;

/**
 * The text in long chunks. Notes an error of the text before the connection closes, because the record would blame the client
 * otherwise.
 */
async function* noted(text: AsyncIterable<string>, { req }: ServerResponse): AsyncGenerator<string, void, void> {
  try {
    let chunk = '';
    for await (const piece of text) {
      chunk += piece;
      if (chunk.length < chunkLength) continue;
      yield chunk;
      chunk = '';
    }
    if (chunk !== '') yield chunk;
  } catch (error) {
    failRequest(req);
    throw error;
  }
}

function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && hangUps.has(error.code);
}

const hangUps: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);
