import { defined } from '../../defined.ts';
import type { ParsedObject } from '../../oauth/json-parameter.ts';
import { bytesPart, jsonPart, type Part, type PartName } from './part.ts';
import type { PastedToken } from './pasted.ts';

/** A pasted token taken apart, nothing checked. */
export interface Decoded extends PastedToken {
  /** `opaque`: no part of it is JSON, so only who issued it knows what it stands for. */
  readonly kind: 'signed' | 'encrypted' | 'part' | 'opaque';
  readonly parts: readonly Part[];
  readonly header?: ParsedObject;
  readonly claims?: ParsedObject;
  /** What is wrong with it as a whole. */
  readonly faults: readonly string[];
}

const encrypted: readonly PartName[] = ['header', 'encrypted key', 'iv', 'ciphertext', 'tag'];

/** Three parts are a JWS (RFC 7515 §3.1), five a JWE (RFC 7516 §3.1); fewer are read as far as they go. */
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
  if (signature === undefined) return ['The signature is missing: after the payload comes a dot and the signature.'];
  if (more > 0)
    return [`It has ${count} parts: a signed token has 3, an encrypted one 5. What comes after the third is left out.`];
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
    `This is a ${isHeader ? 'header' : 'payload'} alone: a token has it between dots, with two more parts.`,
  ];
  return withJson({ ...pasted, kind: 'part', parts: [isHeader ? { ...part, name: 'header' } : part], faults });
}

function withJson(token: Omit<Decoded, 'header' | 'claims'>): Decoded {
  const header = token.parts.find(({ name }) => name === 'header')?.json;
  const claims = token.parts.find(({ name }) => name === 'payload')?.json;
  return { ...token, ...defined({ header, claims }) };
}
