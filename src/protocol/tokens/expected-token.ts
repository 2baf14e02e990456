import type { ParsedObject } from '../json-parameter.ts';

/** What a receiver expects of a token. Absent members are not compared. */
export interface ExpectedToken {
  readonly issuer?: string;
  /** The name of the receiver, which must be in `aud`. */
  readonly audience?: string;
  /** The type in the header, such as `at+jwt`. */
  readonly typ?: string;
}

/** A member of a token beside the expected value. */
export interface TokenComparison {
  readonly isMet: boolean;
  /** `aud is "a", and "b" is expected`. */
  readonly text: string;
  readonly reference: string;
}

/** Compares a token with the expectations of its receiver, as RFC 9068 §4 says: each value character by character. */
export function comparedWith(
  { issuer, audience, typ }: ExpectedToken,
  { header, claims }: { readonly header: ParsedObject; readonly claims: ParsedObject },
): readonly TokenComparison[] {
  const { iss, aud } = claims;
  return [
    ...(issuer === undefined ? [] : [compared('iss', iss, issuer, iss === issuer, 'RFC 7519 §4.1.1')]),
    ...(audience === undefined
      ? []
      : [compared('aud', aud, audience, [aud].flat().includes(audience), 'RFC 7519 §4.1.3')]),
    ...(typ === undefined
      ? []
      : [compared('typ', header.typ, typ, mediaType(header.typ) === mediaType(typ), 'RFC 8725 §3.11')]),
  ];
}

function compared(
  member: string,
  value: unknown,
  expected: string,
  isMet: boolean,
  reference: string,
): TokenComparison {
  const found =
    value === undefined ? `there is no ${member}` : `${member} is ${(JSON.stringify(value) ?? '').slice(0, 200)}`;
  return {
    isMet,
    text: isMet ? `${found}, as expected` : `${found}, and ${JSON.stringify(expected)} is expected`,
    reference,
  };
}

/** Case does not count, and `application/` may be left out (RFC 7515 §4.1.9). */
function mediaType(typ: unknown): string {
  return String(typ)
    .toLowerCase()
    .replace(/^application\//, '');
}
