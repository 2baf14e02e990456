import type { ParsedObject } from '../../protocol/json-parameter.ts';
import type { TokenCheck } from './checks.ts';

interface Jwt {
  readonly header: ParsedObject;
  readonly claims: ParsedObject;
  /** As they are in the token; the signature may be missing. */
  readonly parts: readonly string[];
}

/** The parts of a raw JWT, with a few words about each. */
export function rawParts({ header, claims, parts }: Jwt, checks: readonly TokenCheck[]) {
  const [head = '', payload = '', signature] = parts;
  const { alg, typ, kid } = header;
  const said = [alg, typ, kid === undefined ? undefined : `key ${String(kid)}`].filter(each => each !== undefined);
  const count = Object.keys(claims).length;
  const signed = signature === undefined || signature === '' ? 'none' : signatureWords(signature, checks);
  const end = signature === undefined ? '' : '.';
  return [
    { name: 'header', title: 'Header', text: `${head}.`, words: said.map(String).join(', ') },
    { name: 'payload', title: 'Claims', text: payload + end, words: count === 1 ? '1 claim' : `${count} claims` },
    { name: 'signature', title: 'Signature', text: signature ?? '', words: signed },
  ];
}

const fits: Readonly<Record<TokenCheck['level'], string>> = {
  pass: 'fits the key',
  warn: 'fits an old key',
  note: 'not verified',
  fail: 'does not fit',
};

function signatureWords(signature: string, checks: readonly TokenCheck[]): string {
  const found = checks.find(({ name }) => name === 'signature');
  return `${Buffer.from(signature, 'base64url').length} bytes, ${fits[found?.level ?? 'note']}`;
}
