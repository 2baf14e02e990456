import { inTurns, type Pieces, type Turns } from './in-turns.ts';

/** A text in short pieces; a piece may be empty. */
export type TextPieces = Generator<string, void, void>;

/** Approximate characters of a chunk, large enough that writing it costs little per character. */
const chunkLength = 64 * 1024;

/** The chunks of a text. Each is made on demand, over several turns of the event loop if needed. */
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

/** The whole text at once, for a process without requests. */
export function wholeText(text: TextPieces): string {
  return [...text].join('');
}

/** The whole text of pieces that are awaited. */
export async function wholeStream(text: AsyncIterable<string>): Promise<string> {
  let whole = '';
  for await (const piece of text) whole += piece;
  return whole;
}
