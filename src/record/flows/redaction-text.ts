import { unescaped } from '../../base/text/html.ts';

export type OnSecret = (secret: string) => void;

const ignore: OnSecret = () => {};

function maskNamed(name: string, value: string, onSecret: OnSecret): string {
  const secrecy = secrecyOf(name);
  if (secrecy === 'none') return maskText(value, onSecret);
  if (value === '' || isMasked(value)) return value;
  onSecret(value);
  return secrecy === 'all' ? redacted : maskToken(value);
}

/** Masks a form (`name=value&…`); pairs without secrets keep their spelling. */
export function maskForm(form: string, onSecret: OnSecret = ignore): string {
  const pairs = form.split('&').map(pair => {
    const equals = pair.indexOf('=');
    if (equals < 0) return maskText(pair, onSecret);
    const [name, value] = [formDecoded(pair.slice(0, equals)), formDecoded(pair.slice(equals + 1))];
    const masked = maskNamed(name, value, onSecret);
    return masked === value ? pair : `${pair.slice(0, equals)}=${spelled(masked)}`;
  });
  return pairs.join('&');
}

/** Encodes a value but keeps the brackets of `[redacted]` readable. */
function spelled(text: string): string {
  const encoded = new URLSearchParams({ v: text }).toString().slice(2);
  return encoded.replaceAll('%5Bredacted%5D', redacted);
}

/** Decodes one name or value of a form. */
export function formDecoded(text: string): string {
  return new URLSearchParams(`v=${text}`).get('v') ?? text;
}

/** Masks JSON and keeps its indentation. Text that is not valid JSON, such as a cut body, is masked as text. */
export function maskJson(text: string, onSecret: OnSecret = ignore): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(maskValue(value, onSecret), undefined, /\n\s/.test(text) ? 2 : undefined);
  } catch {
    return maskText(text, onSecret);
  }
}

function maskValue(value: unknown, onSecret: OnSecret, name = ''): unknown {
  if (typeof value === 'string') return maskNamed(name, value, onSecret);
  if (Array.isArray(value)) return value.map(element => maskValue(element, onSecret, name));
  if (typeof value === 'object' && value !== null) return maskObject(value, onSecret);
  return typeof value === 'number' && secrecyOf(name) === 'all' ? redacted : value;
}

function maskObject(object: object, onSecret: OnSecret): object {
  const isKey = 'kty' in object;
  // a credential of a user, or of a client: `{ type: 'password', value }`
  const isCredential = 'type' in object && (object.type === 'password' || object.type === 'secret');
  const members = Object.entries(object).map(([name, value]) => {
    if (isKey && privateKeyMembers.has(name)) return [name, redacted];
    return [name, maskValue(value, onSecret, isCredential && name === 'value' ? 'secret' : name)];
  });
  return Object.fromEntries(members);
}

const pairForm = /(?<![\w.~%-])([a-z][\w.-]{1,60})=([^&"'\s<>;,#]+)/gi;
const memberForm = /"([\w.-]{1,60})"(\s*:\s*)"((?:[^"\\]|\\.)*)("?)/g;
const fieldForm = /<input\b[^<>]{0,4000}>/gi;

/** Masks any other text, such as HTML or a header: `code=…` in URLs, JSON members, form fields and signatures. */
export function maskText(text: string, onSecret: OnSecret = ignore): string {
  const fields = text.includes('<') ? text.replace(fieldForm, field => maskField(field, onSecret)) : text;
  const members = !fields.includes('"')
    ? fields
    : fields.replace(memberForm, (whole, name: string, colon: string, value: string, end: string) => {
        if (secrecyOf(name) === 'none') return whole;
        return `"${name}"${colon}"${maskNamed(name, value, onSecret)}${end}`;
      });
  const pairs = !members.includes('=')
    ? members
    : members.replace(pairForm, (whole, name: string, value: string) => {
        if (secrecyOf(name) === 'none') return whole;
        return `${name}=${maskNamed(name, formDecoded(value), onSecret)}`;
      });
  return withoutSignatures(pairs);
}

function maskField(field: string, onSecret: OnSecret): string {
  const name = attribute(field, 'name');
  const value = attribute(field, 'value');
  if (name === undefined || value === undefined || value[1] === '' || secrecyOf(name[1]) === 'none') return field;
  const masked = maskNamed(name[1], unescaped(value[1]), onSecret);
  return field.replace(value[0], () => value[0].replace(value[1], () => masked));
}

function attribute(tag: string, name: string): readonly [whole: string, value: string] | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag);
  return match === null ? undefined : [match[0], match[1] ?? match[2] ?? ''];
}

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
const privateKeyMembers: ReadonlySet<string> = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']);

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
function withoutSignatures(text: string): string {
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
