import type { IssuedEvent } from '../../events/event-log.ts';

/** A JWT taken apart, nothing checked (RFC 7519 §3). */
export interface DecodedJwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** Header, payload, signature, as sent. */
  readonly parts: readonly [string, string, string];
}

/** What of a token can be taken apart: of one that is encrypted to its client, what is inside. */
export function readableToken({ token, signed }: { readonly token: string; readonly signed?: string }): string {
  return signed ?? token;
}

/** The claims of an opaque access token, which itself says nothing (RFC 7662 §2.2). */
export function standsFor(event: IssuedEvent): Readonly<Record<string, unknown>> | undefined {
  return event.type === 'token.issued' ? event.claims : undefined;
}

/** Undefined for what is no JWT: codes, refresh tokens, opaque access tokens. */
export function decodeJwt(token: string): DecodedJwt | undefined {
  const [header, payload, signature, ...more] = token.split('.');
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) return undefined;
  const headerObject = jsonObject(header);
  const claims = jsonObject(payload);
  if (headerObject === undefined || claims === undefined) return undefined;
  return { header: headerObject, claims, parts: [header, payload, signature] };
}

function jsonObject(base64url: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
