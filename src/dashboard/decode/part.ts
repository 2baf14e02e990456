import { recordIn } from '../../base/text/record.ts';
import { isDeeperThan, type ParsedObject } from '../../protocol/json-parameter.ts';
import { readJsonObject } from '../../protocol/json-text.ts';

/** One of the dot-separated parts of a token. */
export interface Part {
  readonly name: PartName;
  /** The pasted text. */
  readonly text: string;
  /** The decoded JSON object of a header or payload. */
  readonly json?: ParsedObject;
  /** Set if the JSON is damaged and `json` has only the members before the error. */
  readonly isCut?: true;
  /** The decoded text if it is not JSON: the part before the error, and the rest. */
  readonly decoded?: readonly [readable: string, rest: string];
  /** Errors with their position. */
  readonly faults: readonly string[];
}

/** The name of a part of a JWS or JWE. */
export type PartName = 'header' | 'payload' | 'signature' | 'encrypted key' | 'iv' | 'ciphertext' | 'tag';

const foreign = /[^A-Za-z0-9_-]/;
/** The deepest nesting of JSON that is read. */
const deepest = 100;

/** The JSON object in a text; undefined for other texts, and for an object that is nested too deep. */
export function objectIn(text: string): ParsedObject | undefined {
  const value = recordIn(text);
  return value === undefined || isDeeperThan(value, deepest) ? undefined : value;
}

/** Reads a part that contains JSON. A truncated or damaged part is read as far as possible. */
export function jsonPart(name: 'header' | 'payload', text: string): Part {
  const { readable, faults } = base64url(text);
  const decoded = Buffer.from(readable, 'base64url').toString('utf8');
  const json = objectIn(decoded);
  if (json !== undefined) return { name, text, json, faults };
  if (decoded === '') return { name, text, faults: [...faults, 'is empty'] };
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
    faults: [...faults, `has an error at ${where}: ${read.reason}`],
  };
}

const mostTries = 50;

/** The complete members of a truncated object: closes the text at its last comma, or an earlier one. */
function membersBefore(text: string): ParsedObject | undefined {
  let end = text.length;
  for (let tries = 0; tries < mostTries && end > 0; tries++) {
    end = text.lastIndexOf(',', end - 1);
    const parsed = end === -1 ? undefined : objectIn(`${text.slice(0, end)}}`);
    if (parsed !== undefined) return parsed;
  }
  return undefined;
}

/** Reads a part that contains bytes. */
export function bytesPart(name: PartName, text: string): Part {
  return { name, text, faults: base64url(text).faults };
}

/** Standard base64 and padding are read and reported. Any other foreign character ends the readable text. */
function base64url(text: string): { readonly readable: string; readonly faults: readonly string[] } {
  const faults: string[] = [];
  const padded = text.endsWith('=') ? text.slice(0, endOfText(text)) : text;
  if (padded !== text) faults.push(`has padding (=) at character ${padded.length + 1}, which tokens leave out`);
  const standard = padded.search(/[+/]/);
  if (standard !== -1) {
    faults.push(
      `has ${padded.charAt(standard)} at character ${standard + 1}: base64url has - and _ instead of + and /`,
    );
  }
  const plain = padded.replaceAll('+', '-').replaceAll('/', '_');
  const at = plain.search(foreign);
  if (at !== -1)
    faults.push(`has ${shown(plain.charAt(at))} at character ${at + 1}, which is not a base64url character`);
  const readable = at === -1 ? plain : plain.slice(0, at);
  if (readable.length % 4 === 1)
    faults.push(`is truncated: ${readable.length} characters are not a whole number of bytes`);
  return { readable, faults };
}

/** Index of the first padding character. */
function endOfText(text: string): number {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === '=') end--;
  return end;
}

function shown(character: string): string {
  return /\s/.test(character) ? 'a space' : character;
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
}
