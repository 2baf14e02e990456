import { recordIn } from './record.ts';

type Members = Readonly<Record<string, unknown>>;

/** A JWT taken apart, nothing checked (RFC 7519 §3). */
export interface DecodedJwt {
  readonly header: Members;
  readonly claims: Members;
  /** Header, payload, signature, as sent. */
  readonly parts: readonly [header: string, payload: string, signature: string];
}

/**
 * For a look at a JWT that is not judged by it: an explanation, a page, a log. Undefined for what is none: codes, refresh tokens,
 * opaque access tokens, encrypted JWTs. A signature that is cut off is empty. jose decodes where a token is judged, and is not
 * loaded for this.
 */
export function decodeJwt(token: string): DecodedJwt | undefined {
  const [head = '', payload = '', signature = '', ...more] = token.split('.');
  if (more.length > 0) return undefined;
  const header = recordIn(decoded(head));
  const claims = recordIn(decoded(payload));
  if (header === undefined || claims === undefined) return undefined;
  return { header, claims, parts: [head, payload, signature] };
}

function decoded(part: string): string {
  return Buffer.from(part, 'base64url').toString('utf8');
}
