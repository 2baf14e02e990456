import { isDeeperThan, type ParsedObject } from '../../oauth/json-parameter.ts';
import { isRecord, recordIn } from '../../text/record.ts';
import { deepest } from './part.ts';

/** A token found in what was pasted. */
export type PastedToken = ReturnType<typeof tokensIn>[number];

/** What was pasted, as far as it can be told. */
export interface Pasted {
  readonly tokens: readonly PastedToken[];
  /** Claims that are no token: a payload, or a token that was decoded elsewhere. */
  readonly decoded?: { readonly header?: ParsedObject; readonly claims: ParsedObject };
  /** What was left out to read it, a sentence each. */
  readonly notes: readonly string[];
}

const mostTokens = 8;

/** Finds what is meant: a token in quotes, with `Bearer`, with line breaks; a token response; a cookie; an address; JSON. */
export function readPasted(text: string): Pasted {
  const trimmed = text.trim();
  if (trimmed === '') return { tokens: [], notes: [] };
  const json = objectOf(trimmed);
  if (json !== undefined) return fromObject(json);
  const alone = tokenAlone(trimmed);
  if (alone !== undefined) return alone;
  const found = tokensIn(trimmed);
  if (found.length > 0) {
    const left = found.length === 1 ? 'a token was found in it' : `${found.length} tokens were found in it`;
    return { tokens: found, notes: [`This is more than a token: ${left}, the rest was left out.`] };
  }
  return { tokens: [{ name: '', text: withoutQuotes(trimmed) }], notes: [] };
}

function objectOf(text: string): ParsedObject | undefined {
  const value = recordIn(text);
  return value === undefined || isDeeperThan(value, deepest) ? undefined : value;
}

/** A token response, a JWS in JSON (RFC 7515 §7.2.2), a token that is decoded already, or claims. */
function fromObject(object: ParsedObject): Pasted {
  const { protected: header, payload, signature } = object;
  if (typeof header === 'string' && typeof payload === 'string') {
    const text = [header, payload, String(signature ?? '')].join('.');
    return { tokens: [{ name: '', text }], notes: ['This is a JWS in JSON (RFC 7515 §7.2.2), read as a compact one.'] };
  }
  const tokens = Object.entries(object).flatMap(([name, value]) => {
    return typeof value === 'string' && (looksLikeJwt(value) || /_token$|^code$/.test(name))
      ? [{ name, text: value.trim() }]
      : [];
  });
  if (tokens.length > 0) return { tokens: tokens.slice(0, mostTokens), notes: [] };
  const notes = ['This is JSON and no token: nothing of it is signed.'];
  if (isRecord(object.header) && isRecord(object.payload)) {
    return { tokens: [], decoded: { header: object.header, claims: object.payload }, notes };
  }
  return { tokens: [], decoded: { claims: object }, notes };
}

/** The text is one token, but for what is wrapped around it. */
function tokenAlone(text: string): Pasted | undefined {
  const notes: string[] = [];
  const header = /^(?:authorization\s*:\s*)?(?:bearer|dpop)\s+/i.exec(text)?.[0] ?? '';
  if (header !== '') notes.push('What stood before the token was left out.');
  const bare = withoutQuotes(text.slice(header.length));
  if (bare !== text.slice(header.length)) notes.push('The quotes around it were left out.');
  const joined = bare.replace(/\s+/g, '');
  if (joined !== bare) notes.push('Spaces and line breaks in it were left out.');
  // what is not of a token may be its damage, but a name before a value, and more than one token, are something else
  const isOne = /^[^\s;&,{}"'<>]*$/.test(joined) && !/(?:^|[?#&])\w+=ey/.test(joined) && /[.]|^ey/.test(joined);
  return isOne && !/:\/\//.test(joined) ? { tokens: [{ name: '', text: joined }], notes } : undefined;
}

/** By hand: an expression for the end would try anew at each quote of a long row of them. */
function withoutQuotes(text: string): string {
  const trimmed = text.trim();
  let [start, end] = [0, trimmed.length];
  while (start < end && `"'\``.includes(trimmed.charAt(start))) start++;
  while (end > start && `"'\`,;`.includes(trimmed.charAt(end - 1))) end--;
  return trimmed.slice(start, end);
}

// bounded, and from the beginning of a word only: whatever is pasted is read in one go
const embedded =
  /(?:([\w.-]{1,64})["']?\s{0,8}(?:[=:]|%3D)\s{0,8}["']?(?:Bearer\s{1,8})?)?(?<![\w-])(ey[\w-]{4,}(?:\.[\w-]*){1,4})/gi;

/** Cookies, forms, addresses with a fragment, commands: whatever has a token in it. */
function tokensIn(text: string) {
  const found = [...text.matchAll(embedded)].map(([, name = '', token = '']) => ({ name, text: token }));
  const different = found.filter((each, index) => found.findIndex(other => other.text === each.text) === index);
  return different.slice(0, mostTokens);
}

function looksLikeJwt(text: string): boolean {
  return /^\s*ey[\w-]+\.[\w-]*(?:\.[\w-]*){0,3}\s*$/.test(text);
}
