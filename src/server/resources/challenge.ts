/**
 * Contents of a `WWW-Authenticate` challenge (RFC 6750 §3, RFC 9449 §7.1); without members it only asks for
 * authentication.
 */
export interface Challenge {
  /** Default: `Bearer`. */
  readonly scheme?: 'DPoP';
  readonly error?:
    | 'invalid_request'
    | 'invalid_token'
    | 'insufficient_scope'
    | 'invalid_dpop_proof'
    | 'use_dpop_nonce'
    | 'insufficient_user_authentication';
  readonly error_description?: string;
  readonly scope?: string;
  /** RFC 9470 §3. */
  readonly acr_values?: string;
  readonly max_age?: string;
  /** Signature algorithms allowed for a DPoP proof. */
  readonly algs?: string;
}

const maxValueLength = 400;

/** The value of `WWW-Authenticate`, with the `resource_metadata` of RFC 9728 §5.1 if it is given. */
export function formatChallenge(challenge: Challenge, resourceMetadata?: string): string {
  const { scheme = 'Bearer', error, error_description, scope, acr_values, max_age, algs } = challenge;
  const parameters = {
    error,
    error_description,
    scope,
    acr_values,
    max_age,
    algs,
    resource_metadata: resourceMetadata,
  };
  const listed = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${printable(shorten(value, maxValueLength))}"`],
  );
  return listed.length === 0 ? scheme : `${scheme} ${listed.join(', ')}`;
}

/** Only the characters RFC 6750 §3 allows in `error_description`: others are replaced, quotes and backslashes by an apostrophe. */
function printable(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7E]/g, '?');
}

/** Cuts a sent value to `maxLength` characters. */
export function shorten(text: string, maxLength = 120): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 3)}...` : text;
}

/** Describes a sent value so that it fits into a sentence: `'text'`, `42`, `an object`, `nothing`. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return `'${shorten(value)}'`;
  if (Array.isArray(value)) return describeList(value);
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

const maxListed = 5;

function describeList(values: readonly unknown[]): string {
  const named = values.slice(0, maxListed).map(value => (typeof value === 'string' ? describe(value) : typeof value));
  if (values.length > maxListed) named.push(`${values.length - maxListed} more`);
  return `[${named.join(', ')}]`;
}
