/** One HTTP exchange exactly as it was, secrets included, because this is a sandbox. Exports are redacted. */
export interface Exchange {
  /** Path and query as sent, of at most 16 KiB. */
  readonly url: string;
  /** Address of the other side of the connection. */
  readonly ip: string;
  /** Names and values in turn, one per line: one string costs the garbage collector less than forty. */
  readonly requestHeaders: string;
  readonly requestBody?: RecordedBody;
  readonly responseHeaders: string;
  readonly responseBody?: RecordedBody;
}

/** A body of which at most 64 KiB are kept. */
export interface RecordedBody {
  readonly text: string;
  /** Length of the whole body; larger than the text where the text was cut. */
  readonly bytes: number;
  readonly cut?: true;
}

/** Names and values of recorded headers, in the order and the letters of the wire. */
export function headersOf(recorded: string): readonly (readonly [name: string, value: string])[] {
  const lines = recorded === '' ? [] : recorded.split('\n');
  const headers: (readonly [string, string])[] = [];
  for (let name = 0; name + 1 < lines.length; name += 2) headers.push([lines[name] ?? '', lines[name + 1] ?? '']);
  return headers;
}

/** The first header of a name, in any letters; undefined where it was not sent. */
export function headerOf(recorded: string, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (let from = 0; ; ) {
    const nameEnd = recorded.indexOf('\n', from);
    if (nameEnd === -1) return undefined;
    const lineEnd = recorded.indexOf('\n', nameEnd + 1);
    const valueEnd = lineEnd === -1 ? recorded.length : lineEnd;
    const isLong = nameEnd - from === wanted.length;
    if (isLong && recorded.slice(from, nameEnd).toLowerCase() === wanted) return recorded.slice(nameEnd + 1, valueEnd);
    if (lineEnd === -1) return undefined;
    from = lineEnd + 1;
  }
}
