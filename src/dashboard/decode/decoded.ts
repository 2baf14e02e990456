import { defined } from '../../base/defined.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { bytesPart, jsonPart, type Part, type PartName } from './part.ts';
import type { PastedToken } from './pasted.ts';

/** A pasted token, split and decoded but not checked. */
export interface Decoded extends PastedToken {
  /** `opaque`: no part is JSON, so only the issuer can read the token. */
  readonly kind: 'signed' | 'encrypted' | 'part' | 'opaque';
  readonly parts: readonly Part[];
  readonly header?: ParsedObject;
  readonly claims?: ParsedObject;
  /** Errors of the token as a whole, a sentence each. */
  readonly faults: readonly string[];
}

const encrypted: readonly PartName[] = ['header', 'encrypted key', 'iv', 'ciphertext', 'tag'];

/** Decodes three parts as a JWS (RFC 7515 §3.1) and five as a JWE (RFC 7516 §3.1); an incomplete token as far as possible. */
export function decoded(pasted: PastedToken): Decoded {
  const texts = pasted.text.split('.');
  if (texts.length === 5) return encryptedToken(pasted, texts);
  if (texts.length === 1) return single(pasted);
  const [header = '', payload = '', signature, ...more] = texts;
  const parts = [
    jsonPart('header', header),
    jsonPart('payload', payload),
    ...(signature === undefined ? [] : [bytesPart('signature', signature)]),
  ];
  return withJson({ ...pasted, kind: 'signed', parts, faults: countFaults(texts.length, signature, more.length) });
}

function countFaults(count: number, signature: string | undefined, more: number): string[] {
  if (signature === undefined)
    return ['The signature is missing. A token ends with a dot and the signature after the payload.'];
  if (more > 0)
    return [
      `The token has ${count} parts, but a signed token has 3 and an encrypted token 5. The parts after the third are ignored.`,
    ];
  return signature === '' ? ['The signature is empty.'] : [];
}

function encryptedToken(pasted: PastedToken, texts: readonly string[]): Decoded {
  const parts = texts.map((text, index) => {
    const name = encrypted[index] ?? 'tag';
    return name === 'header' ? jsonPart(name, text) : bytesPart(name, text);
  });
  return withJson({ ...pasted, kind: 'encrypted', parts, faults: [] });
}

/** A header or payload alone, or a random string. */
function single(pasted: PastedToken): Decoded {
  const part = jsonPart('payload', pasted.text);
  const looksLikeJson = part.json !== undefined || /^\s*\{/.test(part.decoded?.[0] ?? '');
  if (!looksLikeJson) return { ...pasted, kind: 'opaque', parts: [], faults: [] };
  const isHeader = part.json !== undefined && 'alg' in part.json;
  const faults = [
    `This is only the ${isHeader ? 'header' : 'payload'} of a token. A whole token has three parts with dots between them.`,
  ];
  return withJson({ ...pasted, kind: 'part', parts: [isHeader ? { ...part, name: 'header' } : part], faults });
}

function withJson(token: Omit<Decoded, 'header' | 'claims'>): Decoded {
  const header = token.parts.find(({ name }) => name === 'header')?.json;
  const claims = token.parts.find(({ name }) => name === 'payload')?.json;
  return { ...token, ...defined({ header, claims }) };
}
