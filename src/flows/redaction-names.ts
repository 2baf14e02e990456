/** What stands in place of a secret. */
export const redacted = '[redacted]';

/** The whole value is secret. In plain form: `clientSecret`, `client-secret` and `client_secret` are one name. */
const secretNames = ['code', 'devicecode', 'usercode', 'authreqid', 'otp', 'pin', 'apikey', 'privatekey'];
/** A signed authorization response: it holds the code in what anybody can read of it. */
const signedResponse = 'response';
const secretEndings = ['secret', 'password', 'passwd', 'passphrase', 'verifier'];
/** Of a JWT under such a name the claims stay to be read; anything else is secret as a whole. */
const tokenEndings = ['token', 'assertion', 'idtokenhint'];

/** The members of a private JWK (RFC 7518 §6). */
export const privateKeyMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']);

/** What of a parameter, member or form field is secret, by its name. */
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

// Only where none begins inside of another: a body may be 64 KiB of dashes. Five parts are an encrypted one.
const jwtForm = /(?<![\w-])((?:eyJ|eyA|ewo|ew0)[\w-]{4,})(\.[\w-]*\.)[\w-]+(\.[\w-]+\.[\w-]+)?/g;

/** JWTs lose their signature; encrypted ones all but their header. */
export function withoutSignatures(text: string): string {
  return text.replace(jwtForm, (_, header: string, claims: string, encrypted?: string) => {
    return `${header}${encrypted === undefined ? claims : '.'}${redacted}`;
  });
}

const maskedForm = /^(?:[\w-]+\.(?:[\w-]*\.)?)?\[redacted\]$/;

/** Whether nothing is left of it to mask. */
export function isMasked(value: string): boolean {
  return maskedForm.test(value);
}

/** A token as it may be shown. */
export function maskToken(token: string): string {
  const masked = withoutSignatures(token);
  return masked === token && token !== '' && !isUnsigned(token) ? redacted : masked;
}

/** `header.payload.` of `alg: none`: there is nothing to hide. */
function isUnsigned(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.$/.test(token);
}
