// What an `Authorization` header has in place of a token. Nothing here repeats what may be a token.

/** Longer than the name of a scheme: then the word in its place is a token. */
const longestScheme = 20;

/** Texts that a program sends in place of a value that it does not have, or that is an object. */
const words = /^(?:undefined|null|NaN|true|false|None|\[object \w+\])$/;

/** `the word undefined`, `the text [object Object]`; undefined for a text that may be a token. */
export function wordOfScripts(text: string): string | undefined {
  if (!words.test(text)) return undefined;
  return `the ${text.startsWith('[') ? 'text' : 'word'} ${text}`;
}

/** A header that has not the scheme of a token: another scheme, a token alone, or the word of a program. */
export interface OtherScheme {
  /** `Token`, `812 characters without a scheme`, `the word undefined` */
  readonly sent: string;
  /** A clause for a description. */
  readonly clause: string;
}

/** Describes a header whose scheme is none of those that are known. */
export function otherScheme(header: string): OtherScheme {
  const text = header.trim();
  const word = wordOfScripts(text);
  if (word !== undefined) return { sent: word, clause: `the Authorization header is ${word}` };
  const scheme = text.split(/\s/, 1)[0] ?? '';
  const isName = scheme.length <= longestScheme && /^[A-Za-z][\w-]*$/.test(scheme);
  if (isName && (scheme !== text || /^(basic|digest|negotiate|token)$/i.test(scheme)))
    return { sent: scheme, clause: `the scheme of the Authorization header is '${scheme}'` };
  return {
    sent: `${text.length} characters without a scheme`,
    clause: 'the scheme of the Authorization header is missing',
  };
}

/** Describes the text after a scheme that is not one token. */
export function otherToken(rest: string): string {
  const text = rest.trim();
  if (text === '') return 'the scheme with nothing after it';
  const word = wordOfScripts(text);
  if (word !== undefined) return word;
  if (/^["'].*["']$/.test(text)) return 'the token in quotes';
  if (rest.startsWith('\t')) return 'a tab after the scheme';
  if (/^bearer\s/i.test(text)) return 'the word Bearer twice';
  if (/[\s,]/.test(text)) return 'more than one token after the scheme';
  const [foreign] = /[^A-Za-z0-9._~+/=-]/.exec(text) ?? [];
  return foreign === undefined ? 'a token with = in the middle' : `a token with '${foreign}' in it`;
}
