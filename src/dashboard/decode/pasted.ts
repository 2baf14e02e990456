import { isRecord, recordIn } from '../../base/text/record.ts';
import { isDeeperThan, type ParsedObject } from '../../protocol/json-parameter.ts';
import { readJsonObject } from '../../protocol/json-text.ts';

type PastedToken = ReturnType<typeof tokensIn>[number];

/** The content of a pasted text. */
export interface Pasted {
  readonly tokens: readonly PastedToken[];
  /** Claims without a token: a payload, or a token that was decoded elsewhere. */
  readonly decoded?: { readonly header?: ParsedObject; readonly claims: ParsedObject };
  /** Parts of the text that were ignored, a sentence each. */
  readonly notes: readonly string[];
}

const mostTokens = 8;

/** Finds tokens in quotes, after `Bearer`, with line breaks, in a token response, a cookie, a URL or JSON. */
export function readPasted(text: string): Pasted {
  const trimmed = text.trim();
  if (trimmed === '') return { tokens: [], notes: [] };
  const json = objectIn(trimmed);
  if (json !== undefined) return fromObject(json);
  const alone = tokenAlone(trimmed);
  if (alone !== undefined) return alone;
  const found = tokensIn(trimmed);
  if (found.length > 0) {
    const count = found.length === 1 ? '1 token' : `${found.length} tokens`;
    return { tokens: found, notes: [`Found ${count} in the text. The rest was ignored.`] };
  }
  return { tokens: [{ name: '', text: withoutQuotes(trimmed) }], notes: [] };
}

/** Reads a token response, a JWS in JSON (RFC 7515 §7.2.2), a decoded token, or claims. */
function fromObject(object: ParsedObject): Pasted {
  const { protected: header, payload, signature } = object;
  if (typeof header === 'string' && typeof payload === 'string') {
    const text = [header, payload, String(signature ?? '')].join('.');
    return {
      tokens: [{ name: '', text }],
      notes: ['This is a JWS in JSON serialization (RFC 7515 §7.2.2), converted to the compact form.'],
    };
  }
  const tokens = Object.entries(object).flatMap(([name, value]) => {
    return typeof value === 'string' && (looksLikeJwt(value) || /_token$|^code$/.test(name))
      ? [{ name, text: value.trim() }]
      : [];
  });
  if (tokens.length > 0) return { tokens: tokens.slice(0, mostTokens), notes: [] };
  const notes = ['This is JSON, not a token. Nothing in it is signed.'];
  if (isRecord(object.header) && isRecord(object.payload)) {
    return { tokens: [], decoded: { header: object.header, claims: object.payload }, notes };
  }
  return { tokens: [], decoded: { claims: object }, notes };
}

function tokenAlone(text: string): Pasted | undefined {
  const notes: string[] = [];
  const header = /^(?:authorization\s*:\s*)?(?:bearer|dpop)\s+/i.exec(text)?.[0] ?? '';
  if (header !== '') notes.push('The text before the token was ignored.');
  const bare = withoutQuotes(text.slice(header.length));
  if (bare !== text.slice(header.length)) notes.push('The quotes around the token were ignored.');
  const joined = bare.replace(/\s+/g, '');
  if (joined !== bare) notes.push('Spaces and line breaks in the token were ignored.');
  // stray characters may be damage to one token, but a name before a value, or a second token, is a different kind of text
  const isOne = /^[^\s;&,{}"'<>]*$/.test(joined) && !/(?:^|[?#&])\w+=ey/.test(joined) && /[.]|^ey/.test(joined);
  return isOne && !/:\/\//.test(joined) ? { tokens: [{ name: '', text: joined }], notes } : undefined;
}

/** Written as loops, because a regular expression would be quadratic in a long row of quotes. */
function withoutQuotes(text: string): string {
  const trimmed = text.trim();
  let [start, end] = [0, trimmed.length];
  while (start < end && `"'\``.includes(trimmed.charAt(start))) start++;
  while (end > start && `"'\`,;`.includes(trimmed.charAt(end - 1))) end--;
  return trimmed.slice(start, end);
}

// bounded, and anchored to the start of a word, so that any pasted text is read in linear time
const embedded =
  /(?:([\w.-]{1,64})["']?\s{0,8}(?:[=:]|%3D)\s{0,8}["']?(?:Bearer\s{1,8})?)?(?<![\w-])(ey[\w-]{4,}(?:\.[\w-]*){1,4})/gi;

function tokensIn(text: string) {
  const found = [...text.matchAll(embedded)].map(([, name = '', token = '']) => ({ name, text: token }));
  const different = found.filter((each, index) => found.findIndex(other => other.text === each.text) === index);
  return different.slice(0, mostTokens);
}

function looksLikeJwt(text: string): boolean {
  return /^\s*ey[\w-]+\.[\w-]*(?:\.[\w-]*){0,3}\s*$/.test(text);
}

/** A pasted token, split and decoded but not checked. */
export interface Decoded extends PastedToken {
  /** `opaque`: no part is JSON, so only the issuer can read the token. */
  readonly kind: 'signed' | 'encrypted' | 'part' | 'opaque';
  readonly parts: readonly TokenPart[];
  readonly header?: ParsedObject;
  readonly claims?: ParsedObject;
  /** Errors of the token as a whole, a sentence each. */
  readonly problems: readonly string[];
}

const encrypted: readonly PartName[] = ['header', 'encrypted key', 'iv', 'ciphertext', 'tag'];

/** Decodes three parts as a JWS (RFC 7515 §3.1) and five as a JWE (RFC 7516 §3.1); an incomplete token as far as possible. */
export function decoded(pasted: PastedToken): Decoded {
  const texts = pasted.text.split('.');
  if (texts.length === 5) return encryptedToken(pasted, texts);
  if (texts.length === 1) return single(pasted);
  const [header = '', payload = '', signature, ...more] = texts;
  const parts = [
    jsonPart('header', header),
    jsonPart('payload', payload),
    ...(signature === undefined ? [] : [bytesPart('signature', signature)]),
  ];
  return withJson({ ...pasted, kind: 'signed', parts, problems: countProblems(texts.length, signature, more.length) });
}

function countProblems(count: number, signature: string | undefined, more: number): string[] {
  if (signature === undefined)
    return ['The signature is missing. A token ends with a dot and the signature after the payload.'];
  if (more > 0)
    return [
      `The token has ${count} parts, but a signed token has 3 and an encrypted token 5. The parts after the third are ignored.`,
    ];
  return signature === '' ? ['The signature is empty.'] : [];
}

function encryptedToken(pasted: PastedToken, texts: readonly string[]): Decoded {
  const parts = texts.map((text, index) => {
    const name = encrypted[index] ?? 'tag';
    return name === 'header' ? jsonPart(name, text) : bytesPart(name, text);
  });
  return withJson({ ...pasted, kind: 'encrypted', parts, problems: [] });
}

function single(pasted: PastedToken): Decoded {
  const part = jsonPart('payload', pasted.text);
  const looksLikeJson = part.json !== undefined || /^\s*\{/.test(part.decoded?.[0] ?? '');
  if (!looksLikeJson) return { ...pasted, kind: 'opaque', parts: [], problems: [] };
  const isHeader = part.json !== undefined && 'alg' in part.json;
  const problems = [
    `This is only the ${isHeader ? 'header' : 'payload'} of a token. A whole token has three parts with dots between them.`,
  ];
  return withJson({ ...pasted, kind: 'part', parts: [isHeader ? { ...part, name: 'header' } : part], problems });
}

function withJson(token: Omit<Decoded, 'header' | 'claims'>): Decoded {
  const header = token.parts.find(({ name }) => name === 'header')?.json;
  const claims = token.parts.find(({ name }) => name === 'payload')?.json;
  return { ...token, header, claims };
}

export interface TokenPart {
  readonly name: PartName;
  readonly text: string;
  readonly json?: ParsedObject;
  /** Set if the JSON is damaged and `json` has only the members before the error. */
  readonly isCut?: true;
  /** The decoded text if it is not JSON: the part before the error, and the rest. */
  readonly decoded?: readonly [readable: string, rest: string];
  readonly problems: readonly string[];
}

type PartName = 'header' | 'payload' | 'signature' | 'encrypted key' | 'iv' | 'ciphertext' | 'tag';

const foreign = /[^A-Za-z0-9_-]/;
/** The deepest nesting of JSON that is read. */
const deepest = 100;

function objectIn(text: string): ParsedObject | undefined {
  const value = recordIn(text);
  return value === undefined || isDeeperThan(value, deepest) ? undefined : value;
}

/** Reads a part that contains JSON. A truncated or damaged part is read as far as possible. */
function jsonPart(name: 'header' | 'payload', text: string): TokenPart {
  const { readable, problems } = base64url(text);
  const decoded = Buffer.from(readable, 'base64url').toString('utf8');
  const json = objectIn(decoded);
  if (json !== undefined) return { name, text, json, problems };
  if (decoded === '') return { name, text, problems: [...problems, 'is empty'] };
  const read = readJsonObject(decoded, deepest);
  if (!('reason' in read)) return { name, text, json: read.value, problems };
  const at = offsetOf(decoded, read.line, read.column);
  const where = `character ${at + 1} of the decoded text`;
  const saved = membersBefore(decoded.slice(0, at));
  return {
    name,
    text,
    ...(saved === undefined ? {} : { json: saved, isCut: true }),
    decoded: [decoded.slice(0, at), decoded.slice(at)],
    problems: [...problems, `has an error at ${where}: ${read.reason}`],
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

function bytesPart(name: PartName, text: string): TokenPart {
  return { name, text, problems: base64url(text).problems };
}

/** Standard base64 and padding are read and reported. Any other foreign character ends the readable text. */
function base64url(text: string): { readonly readable: string; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const padded = text.endsWith('=') ? text.slice(0, endOfText(text)) : text;
  if (padded !== text) problems.push(`has padding (=) at character ${padded.length + 1}, which tokens leave out`);
  const standard = padded.search(/[+/]/);
  if (standard !== -1) {
    problems.push(
      `has ${padded.charAt(standard)} at character ${standard + 1}: base64url has - and _ instead of + and /`,
    );
  }
  const plain = padded.replaceAll('+', '-').replaceAll('/', '_');
  const at = plain.search(foreign);
  if (at !== -1)
    problems.push(`has ${shown(plain.charAt(at))} at character ${at + 1}, which is not a base64url character`);
  const readable = at === -1 ? plain : plain.slice(0, at);
  if (readable.length % 4 === 1)
    problems.push(`is truncated: ${readable.length} characters are not a whole number of bytes`);
  return { readable, problems };
}

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
