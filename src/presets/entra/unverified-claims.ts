import { isRecord } from '../../text/record.ts';

/** The claims of a JWT whose signature was checked before; empty for another text. */
export function unverifiedClaims(jwt: string): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
    return isRecord(claims) ? claims : {};
  } catch {
    return {};
  }
}
