import { recordIn } from './record.ts';

type Members = Readonly<Record<string, unknown>>;

/** A decoded JWT; nothing is checked (RFC 7519 §3). */
export interface DecodedJwt {
  readonly header: Members;
  readonly claims: Members;
  /** Header, payload, signature, as sent. */
  readonly parts: readonly [header: string, payload: string, signature: string];
}

/**
 * Decodes a JWT for display only: an explanation, a page, a log. Undefined for anything else: codes, refresh tokens,
 * opaque access tokens, encrypted JWTs. A missing signature is empty. Where a token is verified, jose decodes it; it is
 * not loaded for this.
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

/** Three or five base64url parts, the first of which is JSON, with quotes or a scheme around them. */
const form = /^\s*(?:bearer\s+)?["']?ey[\w-]+\.[\w-]*\.[\w.-]*["']?\s*$/i;

/** Whether the text is a JWT of any issuer, not a filter. */
export function isPastedJwt(text: string): boolean {
  return form.test(text);
}
