import { inTurns, type Pieces, type Turns } from './in-turns.ts';

/** A text in pieces, each short; a piece may be empty. */
export type TextPieces = Generator<string, void, void>;

/** Letters of a chunk, roughly: who writes chunks of this size has little to do for each. */
const chunkLength = 64 * 1024;

/** The chunks of a text, each made over as many turns of the event loop as it needs, and only when somebody asks for it. */
export async function* textInTurns(text: TextPieces, turns?: Turns): AsyncGenerator<string, void, void> {
  try {
    for (;;) {
      const chunk = await inTurns(nextChunk(text), turns);
      if (chunk !== '') yield chunk;
      if (chunk.length < chunkLength) return;
    }
  } finally {
    text.return();
  }
}

function* nextChunk(text: TextPieces): Pieces<string> {
  let chunk = '';
  while (chunk.length < chunkLength) {
    const piece = text.next();
    if (piece.done === true) break;
    chunk += piece.value;
    yield;
  }
  return chunk;
}

/** All of a text, for a process that answers nobody meanwhile. */
export function wholeText(text: TextPieces): string {
  return [...text].join('');
}

/** The same for a text whose pieces are waited for. */
export async function wholeStream(text: AsyncIterable<string>): Promise<string> {
  let whole = '';
  for await (const piece of text) whole += piece;
  return whole;
}
