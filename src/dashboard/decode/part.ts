import { isDeeperThan, type ParsedObject } from '../../oauth/json-parameter.ts';
import { readJsonObject } from '../../oauth/json-text.ts';
import { isRecord } from '../../text/record.ts';

/** One of the parts between the dots of a token, as far as it can be read. */
export interface Part {
  readonly name: PartName;
  /** As pasted. */
  readonly text: string;
  /** Of a header or payload that is a JSON object. */
  readonly json?: ParsedObject;
  /** The members before the fault are in `json`, the others are not. */
  readonly isCut?: true;
  /** What the bytes say where they are no JSON: up to the fault, and from there. */
  readonly decoded?: readonly [readable: string, rest: string];
  /** What is wrong, and where. */
  readonly faults: readonly string[];
}

export type PartName = 'header' | 'payload' | 'signature' | 'encrypted key' | 'iv' | 'ciphertext' | 'tag';

const foreign = /[^A-Za-z0-9_-]/;
/** Levels of JSON that are read. */
export const deepest = 100;

/** Reads a part that holds JSON. A cut or damaged one is read as far as it goes. */
export function jsonPart(name: 'header' | 'payload', text: string): Part {
  const { readable, faults } = base64url(text);
  const decoded = Buffer.from(readable, 'base64url').toString('utf8');
  const parsed = parse(decoded);
  if (isRecord(parsed) && !isDeeperThan(parsed, deepest)) return { name, text, json: parsed, faults };
  if (decoded === '') return { name, text, faults: [...faults, 'it is empty'] };
  const read = readJsonObject(decoded, deepest);
  if (!('reason' in read)) return { name, text, json: read.value, faults };
  const at = offsetOf(decoded, read.line, read.column);
  const where = `character ${at + 1} of the decoded text`;
  const saved = membersBefore(decoded.slice(0, at));
  return {
    name,
    text,
    ...(saved === undefined ? {} : { json: saved, isCut: true }),
    decoded: [decoded.slice(0, at), decoded.slice(at)],
    faults: [...faults, `${where}: ${read.reason}`],
  };
}

const mostTries = 50;

/** The whole members of an object that breaks off: the text is closed at its last comma, or the one before. */
function membersBefore(text: string): ParsedObject | undefined {
  let end = text.length;
  for (let tries = 0; tries < mostTries && end > 0; tries++) {
    end = text.lastIndexOf(',', end - 1);
    const parsed = end === -1 ? undefined : parse(`${text.slice(0, end)}}`);
    if (isRecord(parsed) && !isDeeperThan(parsed, deepest)) return parsed;
  }
  return undefined;
}

/** Reads a part that is bytes and nothing else. */
export function bytesPart(name: PartName, text: string): Part {
  return { name, text, faults: base64url(text).faults };
}

/** Standard base64 and padding are read all the same, and said; anything else ends it. */
function base64url(text: string): { readonly readable: string; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const padded = text.endsWith('=') ? text.slice(0, endOfText(text)) : text;
  if (padded !== text) faults.push(`character ${padded.length + 1} is =: base64url has no padding in a token`);
  const standard = padded.search(/[+/]/);
  if (standard !== -1) {
    faults.push(`character ${standard + 1} is ${padded.charAt(standard)}: base64url has - and _ instead of + and /`);
  }
  const plain = padded.replaceAll('+', '-').replaceAll('/', '_');
  const at = plain.search(foreign);
  if (at !== -1) faults.push(`character ${at + 1} is ${shown(plain.charAt(at))}, which no base64url has`);
  const readable = at === -1 ? plain : plain.slice(0, at);
  if (readable.length % 4 === 1) faults.push(`it is cut: ${readable.length} characters make no whole byte`);
  return { readable, faults };
}

/** Where the padding begins. */
function endOfText(text: string): number {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === '=') end--;
  return end;
}

function shown(character: string): string {
  return /\s/.test(character) ? 'a space' : character;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
}
