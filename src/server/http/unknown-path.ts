import { OAuthError } from '../../protocol/errors.ts';
import type { ErrorForm } from './error-replies.ts';
import { type Meant, pointerTo } from './habits.ts';

/** A provider that the sandbox could speak like. */
export interface ProviderPaths {
  readonly name: string;
  /** Paths that only this provider has. */
  readonly paths: readonly string[];
}

/** Calls of a provider that the sandbox answers with 501. */
export interface UnservedCalls {
  /** The name of the provider. */
  readonly title: string;
  /** The path that precedes those of the calls. */
  readonly base: string;
  readonly unserved: readonly Unserved[];
  /** The form of the refusal for programs; absent: that of OAuth. */
  readonly form?: ErrorForm | undefined;
}

/** Calls that a provider answers and the sandbox does not. */
export interface Unserved {
  /** The beginning of the paths of these calls, below the issuer or at the root of the host. */
  readonly path: string;
  /** The name of these calls at the provider. */
  readonly what: string;
  /** The nearest offer of the sandbox, as a sentence. */
  readonly instead: string;
}

interface Offered {
  readonly providers: readonly ProviderPaths[];
  /** Of the provider that the issuer speaks like. */
  readonly unserved?: UnservedCalls | undefined;
}

/**
 * Refuses a path without a route: a call of the provider that the issuer speaks like (501), or a path that is nowhere
 * (404). It never redirects: a client that is redirected works by accident, and keeps the wrong address.
 */
export function refuseUnknownPath(
  sent: string,
  meant: Meant | undefined,
  { providers, unserved: calls }: Offered,
): never {
  const at = (path: string) => `${sent}/`.startsWith(`${path}/`);
  const call = calls?.unserved.find(({ path }) => at(calls.base + path) || at(path));
  if (calls !== undefined && call !== undefined) {
    const description = `this sandbox speaks like ${calls.title}, but does not offer ${call.what}`;
    throw new OAuthError('invalid_request', 'not_offered', description, { status: 501, sent, expected: call.instead });
  }
  const hint = calls === undefined ? presetHint(sent, providers) : '';
  const description = `there is nothing at this path${pointerTo(meant)}${hint}`;
  const details = { status: 404, sent, expected: meant?.address ?? 'a path listed at /' };
  throw new OAuthError('invalid_request', 'path_unknown', description, details);
}

/** The preset whose paths begin like this one. */
function presetHint(sent: string, providers: readonly ProviderPaths[]): string {
  const found = providers.find(({ paths }) => paths.some(path => sent.startsWith(path)));
  return found === undefined ? '' : `; with PRESET=${found.name} it answers at such paths`;
}
