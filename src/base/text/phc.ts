/** A hashed password in the PHC string format: `$pbkdf2-sha256$i=27500$c2FsdA$aGFzaA`. */
export interface PhcHash {
  readonly id: string;
  /** Numbers as text; other values are words, or base64. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly salt: Buffer;
  readonly key: Buffer;
}

const form =
  /^\$(?<id>[a-z0-9-]{1,32})(?:\$v=19)?(?:\$(?<parameters>[a-z]{1,3}=[\w+/.-]{0,1000}(?:,[a-z]{1,3}=[\w+/.-]{0,1000}){0,9}|\d{1,9}))?\$(?<salt>[\w+/.-]{0,1000})={0,2}\$(?<key>[\w+/.-]{0,1000})={0,2}$/;

/**
 * Reads the PHC string format (github.com/P-H-C/phc-string-format); a bare number is the iterations, as Python's passlib writes
 * them. The salt is empty where a function has none: `$sha256$$aGFzaA`.
 */
export function readPhc(text: string): PhcHash | undefined {
  const { id = '', parameters = '', salt = '', key = '' } = form.exec(text)?.groups ?? {};
  if (id === '') return undefined;
  const named = (/^\d/.test(parameters) ? `i=${parameters}` : parameters).split(',').map(each => each.split('='));
  return {
    id,
    parameters: new Map(named.map(([name = '', value = '']) => [name, value])),
    salt: bytesOf(salt),
    key: bytesOf(key),
  };
}

/** Writes the PHC string format; salt and key are base64, with or without padding. */
export function phcText(
  id: string,
  parameters: Readonly<Record<string, number | string>>,
  salt: string,
  key: string,
): string {
  const version = id.startsWith('argon2') ? '$v=19' : '';
  const named = Object.entries(parameters).map(([name, value]) => `${name}=${bare(`${value}`)}`);
  return `$${id}${version}${named.length === 0 ? '' : `$${named.join(',')}`}$${bare(salt)}$${bare(key)}`;
}

/** Base64 in its usual alphabet, the one of URLs, or the one of passlib, which has `.` for `+`. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('.', '+'), 'base64');
}

function bare(base64: string): string {
  return base64.replace(/=+$/, '');
}
