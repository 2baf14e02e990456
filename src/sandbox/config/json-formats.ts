import { createPublicKey } from 'node:crypto';
import { isRecord } from '../../base/text/record.ts';
import { encryptionAlgs, type Jwk } from '../../protocol/clients/client.ts';
import { type Format, jsonList } from './formats.ts';
import { parseJson } from './parse-json.ts';

const listedClients = jsonList('clients');

/** A JSON list of clients. The same variable switches on a relaxation by the word `any`. */
export const clientList: Format<readonly unknown[] | undefined> = {
  ...listedClients,
  read: raw => (raw === 'any' ? { value: undefined } : listedClients.read(raw)),
};

/** A JSON object: as text, or as it is in a file. */
export const jsonMembers: Format<Readonly<Record<string, unknown>>> = {
  values: 'JSON object',
  expected: 'a JSON object',
  jsonSchema: { type: 'object' },
  read(raw) {
    const parsed = typeof raw === 'string' ? parseJson(raw) : { value: raw };
    if ('value' in parsed && isRecord(parsed.value)) return { value: parsed.value };
    return { findings: [{ path: [], value: raw, expected: 'a JSON object' }] };
  },
};

/** Public JWKs by name, such as the audience that they belong to. */
export const publicKeys: Format<Readonly<Record<string, Jwk>>> = {
  values: 'JSON object',
  expected: 'public JWKs (RSA or EC, for encryption) by audience',
  jsonSchema: { type: 'object' },
  read(raw) {
    const read = jsonMembers.read(raw);
    if (!('value' in read)) return read;
    const wrong = Object.entries(read.value).filter(([, key]) => !isPublicKey(key));
    // a wrong key is not repeated: it may be a private one
    if (wrong.length > 0)
      return { findings: wrong.map(([name]) => ({ path: [name], expected: 'a public JWK: RSA or EC' })) };
    return { value: read.value as Readonly<Record<string, Jwk>> }; // checked
  },
};

function isPublicKey(key: unknown): boolean {
  if (!isRecord(key) || 'd' in key || !['RSA', 'EC'].includes(String(key.kty))) return false;
  if (key.alg !== undefined && !encryptionAlgs.some(alg => alg === key.alg)) return false;
  try {
    createPublicKey({ key, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}
