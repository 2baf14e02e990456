/** One attribute of a name: its type in one spelling, and its value in the form for comparison. */
type Attribute = readonly [type: string, value: string];

/** Short names of attribute types by OID and older spelling, as in RFC 4514 §3, or as in OpenSSL if that has none. */
const typeNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.4': 'SN',
  '2.5.4.42': 'GN',
  '2.5.4.12': 'TITLE',
  '0.9.2342.19200300.100.1.25': 'DC',
  '0.9.2342.19200300.100.1.1': 'UID',
  '1.2.840.113549.1.9.1': 'EMAILADDRESS',
  '2.5.4.97': 'ORGANIZATIONIDENTIFIER',
  COMMONNAME: 'CN',
  S: 'ST',
  E: 'EMAILADDRESS',
  SURNAME: 'SN',
  GIVENNAME: 'GN',
  USERID: 'UID',
};

/** Characters. A longer text is refused, whether it comes from a client or from a certificate. */
const longestName = 1024;

/**
 * True if two distinguished names (RFC 4514) have the same attributes in the same order; case and white space of the
 * values do not count (RFC 5280 §7.1). Undefined if `expected` is not a distinguished name.
 */
export function sameName(expected: string, actual: string): boolean | undefined {
  const wanted = parseName(expected);
  if (wanted === undefined) return undefined;
  return JSON.stringify(wanted) === JSON.stringify(parseName(actual));
}

/** The subject of a certificate in the form of RFC 4514. Node has one line for each part, beginning with the first. */
export function toRfc4514(subject: string): string {
  return subject.split('\n').reverse().join(',').replaceAll(' + ', '+');
}

/** The parts of a name beginning with the most specific, each a set of attributes; undefined for text that is not a name. */
function parseName(text: string): readonly (readonly Attribute[])[] | undefined {
  if (text.length > longestName) return undefined;
  const parts = splitUnescaped(text, ',').map(part => splitUnescaped(part, '+').map(parseAttribute));
  const whole = parts.map(part => part.flatMap(each => (each === undefined ? [] : [each])));
  if (whole.some((part, index) => part.length !== parts[index]?.length)) return undefined;
  return whole.map(part => part.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function splitUnescaped(text: string, separator: ',' | '+'): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\')
      at++; // the escaped character separates nothing
    else if (text[at] === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

const attributeForm = /^\s*(?:oid\.)?([a-z][\w-]*|\d+(?:\.\d+)+)\s*=\s*(.*)$/is;

function parseAttribute(text: string): Attribute | undefined {
  const match = attributeForm.exec(text);
  const value = unescapeValue(match?.[2] ?? '');
  if (match === null || value === undefined) return undefined;
  const type = (match[1] ?? '').toUpperCase();
  return [typeNames[type] ?? type, value.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()];
}

/** RFC 4514 §2.4. After `#` come the bytes of the value in hexadecimal, beginning with its tag and length. */
function unescapeValue(text: string): string | undefined {
  const trimmed = trimUnescaped(text);
  if (/^#([0-9a-f]{2}){2,}$/i.test(trimmed)) return Buffer.from(trimmed.slice(1), 'hex').subarray(2).toString('utf8');
  const pieces = trimmed.match(/(?:\\[0-9a-f]{2})+|\\[ "#+,;<=>\\]|[^\\]/gis) ?? [];
  if (pieces.join('') !== trimmed) return undefined;
  return pieces.map(unescapePiece).join('');
}

/** Removes white space at the end, except an escaped space. */
function trimUnescaped(text: string): string {
  const { length } = text.trimEnd();
  return text.slice(0, text[length - 1] === '\\' ? length + 1 : length);
}

function unescapePiece(piece: string): string {
  if (/^\\[0-9a-f]{2}/i.test(piece)) return Buffer.from(piece.replaceAll('\\', ''), 'hex').toString('utf8');
  return piece.startsWith('\\') ? piece.slice(1) : piece;
}
