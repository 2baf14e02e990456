import type { AppRefusalReason } from './app-events.ts';

/** The protections of the demo app that can be switched off. */
export const protectionNames = ['state', 'pkce', 'iss', 'alg', 'aud', 'azp', 'nonce', 'sub'] as const;
export type Protection = (typeof protectionNames)[number];

/** The protections that are switched on. */
export type Protections = ReadonlySet<Protection>;

/** A sign-in that the app refuses, with the received and the expected value. */
export class AppRefusal extends Error {
  override readonly name = 'AppRefusal';
  readonly why: AppRefusalReason;
  readonly sent: string;
  readonly expected: string;

  constructor(why: AppRefusalReason, sent: string, expected: string) {
    super(`${why}: sent ${sent}, expected ${expected}`);
    this.why = why;
    this.sent = sent;
    this.expected = expected;
  }
}

/** A begun login, which the app remembers until the answer comes. */
export interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly code_verifier: string;
  readonly issuer: string;
}

/** The claims of an ID token and of UserInfo that the app reads (OIDC Core §2, §5.1). */
export type IdTokenClaims = Readonly<
  Partial<Record<'iss' | 'sub' | 'aud' | 'azp' | 'nonce' | 'sid' | 'name' | 'email', unknown>>
>;

/**
 * Finds the sign-in that an answer belongs to (RFC 6749 §10.12). Without the check of `state`, it is the latest one of this browser.
 * @throws AppRefusal
 */
export function begunLogin(begun: readonly Begun[], state: string | undefined, on: Protections): Begun | undefined {
  const own = begun.find(each => each.state === state);
  if (own !== undefined || !on.has('state')) return own ?? begun.at(-1);
  const expected = begun.at(-1)?.state ?? 'no response, because this browser began no sign-in';
  throw new AppRefusal('state', state ?? 'no state', expected);
}

/**
 * Checks the issuer of an authorization response (RFC 9207 §2.4) or of metadata.
 * @throws AppRefusal
 */
export function checkIssuer(iss: string | undefined, issuer: string, on: Protections): void {
  if (on.has('iss') && iss !== issuer) throw new AppRefusal('iss', iss ?? 'no iss', issuer);
}

/**
 * Checks the claims of an ID token whose signature was checked (OIDC Core §3.1.3.7).
 * @throws AppRefusal for the first wrong claim
 */
export function checkClaims(
  claims: IdTokenClaims,
  { issuer, client_id, nonce }: { readonly issuer: string; readonly client_id: string; readonly nonce: string },
  on: Protections,
): void {
  const audiences = [claims.aud].flat();
  const { azp } = claims;
  const wrong: readonly (readonly [why: 'iss' | 'aud' | 'azp' | 'nonce', isGood: boolean, expected: string])[] = [
    ['iss', claims.iss === issuer, issuer],
    ['aud', audiences.includes(client_id), client_id],
    ['azp', azp === undefined ? audiences.length < 2 : azp === client_id, client_id],
    ['nonce', claims.nonce === nonce, nonce],
  ];
  for (const [why, isGood, expected] of wrong) {
    if (!isGood && on.has(why)) throw new AppRefusal(why, textOf(claims[why]), expected);
  }
}

function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An account of the app, which is not a user of the sandbox. */
export interface AppAccount {
  readonly iss: string;
  readonly sub: string;
  readonly name: string;
  readonly email: string;
}

/**
 * The key of a user's account. With the protection `sub` it is made of `iss` and `sub` (OIDC Core §5.7). Without it,
 * the key is the e-mail address, which can change and which a provider may not have verified.
 */
export function accountKey({ iss, sub, email }: AppAccount, on: Protections): string {
  return on.has('sub') || email === '' ? `${iss} ${sub}` : email;
}

export function accountOf({ iss, sub, name, email }: IdTokenClaims): AppAccount {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return { iss: text(iss), sub: text(sub), name: text(name) || text(sub), email: text(email) };
}
