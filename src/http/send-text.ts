import type { ServerResponse } from 'node:http';
import { promises as stream } from 'node:stream';

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
    await stream.pipeline(text, res);
  } catch (error) {
    if (!isHangUp(error)) throw error;
  }
}

function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && hangUps.has(error.code);
}

const hangUps: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);
