import { atOnce, type Pieces } from '../../base/turns.ts';
import { redacted } from './redaction-text.ts';

/** Shorter secrets are removed only by their parameter name, because the same letters may occur anywhere. */
const shortest = 8;

/** Removes known secrets from a text. */
export type Sweep = (text: string) => string;

/**
 * Removes these secrets from texts, in all their spellings. A history has ten thousand secrets and a hundred thousand texts, so each
 * position of a text is visited once, independent of the number of secrets: a table tells whether a secret may begin there.
 */
export function sweepOf(secrets: Iterable<string>): Sweep {
  return atOnce(sweepInPieces(secrets));
}

/** Like `sweepOf`, in pieces, because spelling the secrets of a long history is slow. */
export function* sweepInPieces(secrets: Iterable<string>): Pieces<Sweep> {
  const beginnings = new Map<string, Alike>();
  for (const secret of secrets) {
    if (secret.length < shortest) continue;
    addSpellings(beginnings, secret);
    yield;
  }
  if (beginnings.size === 0) return text => text;
  const maybe = placesOf(beginnings.keys(), beginnings.size);
  const secretAt = (text: string, at: number) =>
    maybe[placeOf(text, at) % maybe.length] === 0
      ? undefined
      : longest(beginnings.get(text.slice(at, at + shortest)), text, at);
  return text => swept(text, secretAt);
}

function addSpellings(beginnings: Map<string, Alike>, secret: string): void {
  for (const spelling of spellings(secret)) {
    const beginning = spelling.slice(0, shortest);
    const alike: Alike = beginnings.get(beginning) ?? new Map();
    beginnings.set(beginning, alike.set(spelling.length, (alike.get(spelling.length) ?? new Set()).add(spelling)));
  }
}

/** Secrets with the same beginning, by length. All JWTs begin alike, so comparing them one by one would take minutes. */
type Alike = Map<number, Set<string>>;

function longest(alike: Alike | undefined, text: string, at: number): string | undefined {
  let found = '';
  for (const [length, secrets] of alike ?? []) {
    const here = length > found.length ? text.slice(at, at + length) : '';
    if (secrets.has(here)) found = here;
  }
  return found === '' ? undefined : found;
}

function swept(text: string, secretAt: (text: string, at: number) => string | undefined): string {
  const last = text.length - shortest;
  let clean = '';
  let kept = 0;
  for (let at = 0; at <= last; at++) {
    const secret = secretAt(text, at);
    if (secret === undefined) continue;
    clean += text.slice(kept, at) + redacted;
    kept = at + secret.length;
    at = kept - 1;
  }
  return kept === 0 ? text : clean + text.slice(kept);
}

const smallestTable = 256;
const largestTable = 2 ** 20;

/** A table of the hashes at which secrets may begin. Its size follows their number, because most sweeps have only one or two. */
function placesOf(beginnings: Iterable<string>, count: number): Uint8Array {
  const wanted = 2 ** Math.ceil(Math.log2(64 * count));
  const maybe = new Uint8Array(Math.min(largestTable, Math.max(smallestTable, wanted)));
  for (const beginning of beginnings) maybe[placeOf(beginning, 0) % maybe.length] = 1;
  return maybe;
}

/** A hash of four characters. */
function placeOf(text: string, at: number): number {
  let place = 0;
  for (let letter = at; letter < at + 4; letter++) place = Math.imul(place, 167) + text.charCodeAt(letter);
  return Math.abs(place);
}

/** The spellings of a secret: plain, and encoded for URLs, forms, HTML and JSON. */
function spellings(secret: string): ReadonlySet<string> {
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;');
  return new Set([
    secret,
    encoded(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
    html.replaceAll("'", '&#39;'),
    JSON.stringify(secret).slice(1, -1),
  ]);
}

function encoded(text: string): string {
  // `encodeURIComponent` throws for half of a surrogate pair
  return /\p{Cs}/u.test(text) ? text : encodeURIComponent(text);
}
