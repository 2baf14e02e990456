import { isRecord } from '../../base/text/record.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { objectIn } from './part.ts';

/** A token found in the pasted text. */
export type PastedToken = ReturnType<typeof tokensIn>[number];

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

/** Reads a text that is one token with quotes, a scheme or spaces around it; undefined for any other text. */
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

/** Finds tokens in cookies, forms, URLs, commands and any other text. */
function tokensIn(text: string) {
  const found = [...text.matchAll(embedded)].map(([, name = '', token = '']) => ({ name, text: token }));
  const different = found.filter((each, index) => found.findIndex(other => other.text === each.text) === index);
  return different.slice(0, mostTokens);
}

function looksLikeJwt(text: string): boolean {
  return /^\s*ey[\w-]+\.[\w-]*(?:\.[\w-]*){0,3}\s*$/.test(text);
}
