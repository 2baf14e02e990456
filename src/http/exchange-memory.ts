import type { Exchange, RecordedBody } from '../events/exchange.ts';

/** A body as it was written, and what of it is kept. */
export interface WrittenBody {
  readonly kept: string | Uint8Array;
  /** Of the whole body. */
  readonly bytes: number;
}

/** What is written down of an exchange; no text but a body has a NUL in it. */
export interface Written extends Pick<Exchange, 'url' | 'ip' | 'requestHeaders' | 'responseHeaders'> {
  readonly requestBody: WrittenBody | undefined;
  readonly responseBody: WrittenBody | undefined;
}

/**
 * Where recorded exchanges lie: one after the other in blocks outside of V8's heap. As strings in the heap each would be
 * copied twice by the garbage collector before it is forgotten, which made a token a tenth dearer. A block is used again
 * once all exchanges in it are forgotten.
 */
export interface ExchangeMemory {
  write(written: Written): Exchange;
}

const blockBytes = 64 * 1024;
/** Blocks that wait to be used again. */
const mostSpare = 4;

interface Block {
  readonly bytes: Buffer;
  used: number;
  /** Exchanges in it that are not forgotten. */
  live: number;
  /** Counts its uses: an exchange of an earlier one reads as empty. */
  use: number;
  readonly letGo: () => void;
  readonly lastRead: LastRead;
}

/** Whoever reads one part of an exchange reads others, too: it is taken apart once, and only the last one read is kept so. */
interface LastRead {
  exchange: Exchange | undefined;
  parts: readonly string[];
}

export function createExchangeMemory(): ExchangeMemory {
  const spare: Block[] = [];
  const lastRead: LastRead = { exchange: undefined, parts: [] };
  let current = newBlock(0);

  function newBlock(size: number): Block {
    const block = { bytes: Buffer.allocUnsafeSlow(size), used: 0, live: 0, use: 0, letGo, lastRead };
    return block;

    function letGo(): void {
      block.live--;
      if (block.live > 0 || block === current) return;
      block.use++;
      block.used = 0;
      if (size === blockBytes && spare.length < mostSpare) spare.push(block);
    }
  }

  /** What needs more than half of a block gets one of its own. */
  function blockFor(size: number): Block {
    if (size > blockBytes / 2) return newBlock(size);
    if (current.used + size > current.bytes.length) current = spare.pop() ?? newBlock(blockBytes);
    return current;
  }

  return {
    write(written) {
      const { requestBody, responseBody } = written;
      const head = headOf(written);
      const block = blockFor(mostBytes(head) + mostBytes(requestBody?.kept) + mostBytes(responseBody?.kept));
      const start = block.used;
      put(block, head);
      const afterHead = block.used;
      put(block, requestBody?.kept);
      const afterRequest = block.used;
      put(block, responseBody?.kept);
      block.live++;
      return new WrittenExchange(block, [start, afterHead, afterRequest, block.used]);
    },
  };
}

function headOf({ url, ip, requestHeaders, requestBody, responseHeaders, responseBody }: Written): string {
  return `${url}\0${ip}\0${requestHeaders}\0${requestBody?.bytes ?? 0}\0${responseHeaders}\0${responseBody?.bytes ?? 0}`;
}

/** A UTF-16 unit is at most three bytes of UTF-8. */
function mostBytes(part: string | Uint8Array | undefined): number {
  return part === undefined ? 0 : typeof part === 'string' ? 3 * part.length : part.length;
}

function put(block: Block, part: string | Uint8Array | undefined): void {
  if (part === undefined) return;
  if (typeof part === 'string') {
    block.used += block.bytes.write(part, block.used, 'utf8');
  } else {
    block.bytes.set(part, block.used);
    block.used += part.length;
  }
}

/** Places in the block: start, and the ends of head, request body and response body. */
type Places = readonly [start: number, afterHead: number, afterRequest: number, end: number];

/** A class, because thousands of these live at once and share their getters. */
class WrittenExchange implements Exchange {
  readonly #block: Block;
  readonly #use: number;
  readonly #places: Places;

  constructor(block: Block, places: Places) {
    this.#block = block;
    this.#use = block.use;
    this.#places = places;
  }

  get url(): string {
    return this.#head(0);
  }
  get ip(): string {
    return this.#head(1);
  }
  get requestHeaders(): string {
    return this.#head(2);
  }
  get requestBody(): RecordedBody | undefined {
    return this.#body(this.#places[1], this.#places[2], this.#head(3));
  }
  get responseHeaders(): string {
    return this.#head(4);
  }
  get responseBody(): RecordedBody | undefined {
    return this.#body(this.#places[2], this.#places[3], this.#head(5));
  }
  get weight(): number {
    return this.#places[3] - this.#places[0];
  }

  hold(): void {
    if (this.#isKept()) this.#block.live++;
  }

  release(): void {
    if (this.#isKept()) this.#block.letGo();
  }

  /** For whoever writes events down: getters are not among the own members of an object. */
  toJSON(): Exchange {
    const { url, ip, requestHeaders, requestBody, responseHeaders, responseBody } = this;
    return { url, ip, requestHeaders, requestBody, responseHeaders, responseBody };
  }

  #isKept(): boolean {
    return this.#use === this.#block.use;
  }

  #head(part: number): string {
    const { lastRead } = this.#block;
    if (lastRead.exchange !== this || !this.#isKept()) {
      lastRead.exchange = this;
      lastRead.parts = this.#text(this.#places[0], this.#places[1]).split('\0');
    }
    return lastRead.parts[part] ?? '';
  }

  #body(start: number, end: number, bytes: string): RecordedBody | undefined {
    if (start === end) return undefined;
    const whole = Number(bytes);
    const text = this.#text(start, end);
    return whole > end - start ? { text, bytes: whole, cut: true } : { text, bytes: whole };
  }

  #text(start: number, end: number): string {
    return this.#isKept() ? this.#block.bytes.toString('utf8', start, end) : '';
  }
}
