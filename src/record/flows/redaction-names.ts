/** The text that replaces a secret. */
export const redacted = '[redacted]';

/** Names whose whole value is secret, without punctuation: `clientSecret` and `client_secret` are the same name. */
const secretNames = ['code', 'devicecode', 'usercode', 'authreqid', 'otp', 'pin', 'apikey', 'privatekey'];
/** A signed authorization response (JARM). Its payload is readable and contains the code. */
const signedResponse = 'response';
const secretEndings = ['secret', 'password', 'passwd', 'passwordhash', 'passphrase', 'verifier'];
/** Names of tokens: a JWT keeps its claims and loses its signature, any other value is secret as a whole. */
const tokenEndings = ['token', 'assertion', 'idtokenhint'];

/** The members of a private JWK (RFC 7518 §6). */
export const privateKeyMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']);

/** The secret part of a parameter, member or form field, by its name. `token`: see `maskToken`. */
export function secrecyOf(name: string): 'all' | 'token' | 'none' {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (plain === signedResponse || secretNames.includes(plain)) return 'all';
  if (secretEndings.some(ending => plain.endsWith(ending))) return 'all';
  return tokenEndings.some(ending => plain.endsWith(ending)) ? 'token' : 'none';
}

/** Headers that carry credentials and nothing else. */
export const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'dpop',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
]);

// The lookbehind prevents quadratic time, because a body may be 64 KiB of dashes. Five parts are an encrypted token.
const jwtForm = /(?<![\w-])((?:eyJ|eyA|ewo|ew0)[\w-]{4,})(\.[\w-]*\.)[\w-]+(\.[\w-]+\.[\w-]+)?/g;

/** Removes the signatures of JWTs in a text. An encrypted JWT keeps only its header. */
export function withoutSignatures(text: string): string {
  return text.replace(jwtForm, (_, header: string, claims: string, encrypted?: string) => {
    return `${header}${encrypted === undefined ? claims : '.'}${redacted}`;
  });
}

const maskedForm = /^(?:[\w-]+\.(?:[\w-]*\.)?)?\[redacted\]$/;

/** Whether the value is masked already. */
export function isMasked(value: string): boolean {
  return maskedForm.test(value);
}

/** Masks a token: a JWT without its signature, `[redacted]` for an opaque token. */
export function maskToken(token: string): string {
  if (isMasked(token)) return token;
  const masked = withoutSignatures(token);
  return masked === token && token !== '' && !isUnsigned(token) ? redacted : masked;
}

/** A JWT without signature (`alg: none`), which has nothing to hide. */
function isUnsigned(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.$/.test(token);
}
