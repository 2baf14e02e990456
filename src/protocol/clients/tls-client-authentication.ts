import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Emit } from '../../base/events/event.ts';
import type { ClientCertificate } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { Refuse } from '../errors.ts';
import { shorten } from '../parameters.ts';
import type { Jwk, RegisteredClient, TokenEndpointAuthMethod } from './client.ts';
import { ClientKeysError, clientKeysWhere } from './client-keys.ts';

interface TlsAuthentication {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly certificate: ClientCertificate | undefined;
  readonly refuse: Refuse;
  readonly emit?: Emit;
}

type TlsMethod = Extract<TokenEndpointAuthMethod, 'tls_client_auth' | 'self_signed_tls_client_auth'>;

/**
 * Authenticates a client by the certificate of its connection (RFC 8705 §2) with the method it is registered for.
 * @throws invalid_client
 */
export async function authenticateByCertificate(request: TlsAuthentication): Promise<TlsMethod> {
  const { client, certificate, refuse } = request;
  if (certificate === undefined) {
    const description = 'this client authenticates with a certificate, but the connection has no client certificate';
    throw refuse('certificate_missing', description, {
      sent: 'no client certificate',
      expected: 'mutual TLS with the certificate of the client',
    });
  }
  const methods = client.token_endpoint_auth_methods;
  const isSelfSigned = methods.includes('self_signed_tls_client_auth');
  if (isSelfSigned && (await isRegistered(request, certificate))) return 'self_signed_tls_client_auth';
  if (!methods.includes('tls_client_auth')) {
    throw refuse('certificate_not_registered', 'the certificate is not in the jwks of this client', {
      sent: `a certificate of ${nameOf(certificate)}`,
      expected: 'a certificate in x5c, or the public key, of a key in the jwks',
    });
  }
  checkIssued(certificate, request);
  checkSubject(certificate, request);
  return 'tls_client_auth';
}

/** RFC 8705 §2.2: no CA vouches for the certificate, so it must be a registered one. Its dates are ignored. */
async function isRegistered({ server, client, refuse, emit }: TlsAuthentication, { der }: ClientCertificate) {
  const { publicKey } = new X509Certificate(Buffer.from(der, 'base64'));
  try {
    const keys = await clientKeysWhere(server, client, key => isKeyOf(key, der, publicKey), emit);
    return keys.length > 0;
  } catch (error) {
    if (!(error instanceof ClientKeysError)) throw error;
    throw refuse('client_keys_unavailable', error.description, { met: error.met, cause: error });
  }
}

/** If the key was registered with a certificate, only that certificate is accepted (RFC 7517 §4.7). */
function isKeyOf({ x5c, ...jwk }: Jwk, der: string, publicKey: KeyObject): boolean {
  if (Array.isArray(x5c)) return typeof x5c[0] === 'string' && x5c[0].replace(/\s+/g, '') === der;
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' }).equals(publicKey);
  } catch {
    return false; // Node does not know this kind of key, or it is not a key
  }
}

/** RFC 8705 §2.1: during the handshake OpenSSL checked the chain, the dates and the purpose. */
function checkIssued(certificate: ClientCertificate, { refuse }: TlsAuthentication): void {
  if (certificate.isTrusted) return;
  throw refuse('certificate_untrusted', 'the certificate is not from a trusted CA or is no longer valid', {
    sent: `a certificate of ${nameOf(certificate)}`,
    expected: 'a certificate of a CA in TLS_CLIENT_CA, or of the CA of this sandbox',
  });
}

const alternativeKinds: readonly AlternativeNameKind[] = ['dns', 'uri', 'ip', 'email'];

/** RFC 8705 §2.1.2: exactly one of the five is registered. */
function checkSubject({ der }: ClientCertificate, { client, refuse }: TlsAuthentication): void {
  const { subject, subjectAltName } = new X509Certificate(Buffer.from(der, 'base64'));
  const mismatch = (what: string, sent: string, expected: string) =>
    refuse('certificate_subject_mismatch', `the ${what} of the certificate is not the registered one`, {
      sent: shorten(sent === '' ? 'none' : sent, 200),
      expected,
    });
  const dn = client.tls_client_auth_subject_dn;
  if (dn !== undefined) {
    const actual = toRfc4514(subject ?? '');
    if (sameName(dn, actual) !== true) throw mismatch('subject', actual, dn);
  }
  const names = alternativeNames(subjectAltName);
  for (const kind of alternativeKinds) {
    const registered = client[`tls_client_auth_san_${kind}`];
    if (registered === undefined) continue;
    const presented = names.filter(([each]) => each === kind).map(([, name]) => name);
    if (presented.some(name => sameAlternativeName(kind, registered, name))) continue;
    throw mismatch(`subject alternative name (${kind})`, presented.join(', '), registered);
  }
}

function nameOf({ der }: ClientCertificate): string {
  return shorten(toRfc4514(new X509Certificate(Buffer.from(der, 'base64')).subject ?? ''), 100) || 'nobody';
}

/** Kinds of alternative names that can identify a client (RFC 8705 §2.1.2). */
type AlternativeNameKind = 'dns' | 'uri' | 'ip' | 'email';

const kinds: Readonly<Record<string, AlternativeNameKind>> = {
  DNS: 'dns',
  URI: 'uri',
  'IP Address': 'ip',
  email: 'email',
};

/**
 * The alternative names of a certificate, parsed from Node's one line of text. Node quotes text that could be read as
 * another name. A line that cannot be parsed to its end counts as empty.
 */
export function alternativeNames(
  line = '',
): readonly (readonly [kind: AlternativeNameKind | undefined, name: string])[] {
  const entry = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^",]*)(?:, |$)/y;
  const names: (readonly [AlternativeNameKind | undefined, string])[] = [];
  while (entry.lastIndex < line.length) {
    const match = entry.exec(line);
    if (match === null) return [];
    const [, label = '', value = ''] = match;
    names.push([kinds[label], value.startsWith('"') ? String(JSON.parse(value)) : value]);
  }
  return names;
}

/** True if two names are equal: IP addresses by value, hosts and mail domains in any case. */
export function sameAlternativeName(kind: AlternativeNameKind, registered: string, presented: string): boolean {
  if (kind === 'uri') return registered === presented;
  if (kind === 'ip') return canonicalAddress(registered) === canonicalAddress(presented);
  if (kind === 'dns') return registered.toLowerCase() === presented.toLowerCase();
  return lowerDomain(registered) === lowerDomain(presented);
}

function canonicalAddress(address: string): string {
  const url = `http://${address.includes(':') ? `[${address}]` : address}`;
  return URL.canParse(url) ? new URL(url).hostname : address;
}

/** RFC 5280 §4.2.1.6: case counts in the part before the @. */
function lowerDomain(mailbox: string): string {
  const at = mailbox.lastIndexOf('@') + 1;
  return mailbox.slice(0, at) + mailbox.slice(at).toLowerCase();
}

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

function trimUnescaped(text: string): string {
  const { length } = text.trimEnd();
  return text.slice(0, text[length - 1] === '\\' ? length + 1 : length);
}

function unescapePiece(piece: string): string {
  if (/^\\[0-9a-f]{2}/i.test(piece)) return Buffer.from(piece.replaceAll('\\', ''), 'hex').toString('utf8');
  return piece.startsWith('\\') ? piece.slice(1) : piece;
}
