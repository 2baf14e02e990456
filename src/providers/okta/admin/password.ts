import { phcText } from '../../../base/text/phc.ts';
import { type AnyMembers, isRecord } from '../../../base/text/record.ts';
import { hashFault } from '../../../protocol/users/password-hash.ts';
import { inputInvalid } from '../../management/refusals.ts';

/** The members of an entry that a new password becomes. */
export interface SentPassword {
  readonly password: string | null;
  readonly password_hash: string | null;
}

/**
 * The password that was sent, as text or as a hash (developer.okta.com, Users API); undefined for none.
 * @throws 400
 */
export function sentPassword(body: unknown): SentPassword | undefined {
  const { credentials } = isRecord(body) ? body : {};
  const password = isRecord(credentials) ? credentials.password : undefined;
  if (password === undefined || password === null) return undefined;
  const { value, hash } = isRecord(password) ? password : {};
  if (isRecord(hash)) return { password: null, password_hash: hashOf(hash) };
  if (typeof value === 'string' && value !== '') return { password: value, password_hash: null };
  throw refused('The password must be { "value": text } or { "hash": object }; hooks are not called here');
}

const digests = { MD5: 'md5', 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-512': 'sha512' } as const;
const pseudorandom = { SHA256_HMAC: 'pbkdf2-sha256', SHA512_HMAC: 'pbkdf2-sha512' } as const;
const orders = { PREFIX: 'prefix', POSTFIX: 'suffix' } as const;

function hashOf(hash: AnyMembers): string {
  const text = oneOf(hash, 'algorithm', forms)(hash);
  const fault = hashFault(text);
  if (fault === undefined) return text;
  throw refused(`The hash by ${String(hash.algorithm)} cannot be checked here: expected ${fault}`);
}

const forms = { BCRYPT: bcrypt, PBKDF2: pbkdf2, MD5: digest, 'SHA-1': digest, 'SHA-256': digest, 'SHA-512': digest };

function bcrypt({ workFactor, salt, value }: AnyMembers): string {
  return `$2b$${String(workFactor).padStart(2, '0')}$${String(salt)}${String(value)}`;
}

function pbkdf2(hash: AnyMembers): string {
  const { iterationCount, keySize, salt, value } = hash;
  const length = Buffer.from(String(value), 'base64').length;
  if (keySize !== length) throw refused(`hash.keySize must be the length of hash.value in bytes, ${length}`);
  if (Number(iterationCount) < 4096) throw refused('hash.iterationCount must be 4096 or more');
  const id = oneOf(hash, 'digestAlgorithm', pseudorandom);
  return phcText(id, { i: Number(iterationCount) }, String(salt), String(value));
}

/** Without a salt there is no order. */
function digest(hash: AnyMembers): string {
  const { salt, value } = hash;
  const id = oneOf(hash, 'algorithm', digests);
  if (salt === undefined || salt === null) return phcText(id, {}, '', String(value));
  return phcText(id, { pos: oneOf(hash, 'saltOrder', orders) }, String(salt), String(value));
}

function oneOf<Value>(hash: AnyMembers, name: string, values: Readonly<Record<string, Value>>): Value {
  const found = Object.entries(values).find(([each]) => each === hash[name])?.[1];
  if (found !== undefined) return found;
  throw refused(`hash.${name} must be one of ${Object.keys(values).join(', ')}`);
}

function refused(description: string) {
  return inputInvalid(`password: ${description}`);
}
