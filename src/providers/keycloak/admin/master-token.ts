import { createHmac } from 'node:crypto';
import { recordIn } from '../../../base/text/record.ts';
import { invalidToken } from '../../../protocol/errors.ts';
import { randomId, sameSecret } from '../../../protocol/random.ts';

/** Seconds, as in the realm `master` of Keycloak. */
const lifetimes = { Bearer: 60, Refresh: 1800 };

/** The realm `master`, and what signs its tokens. */
export interface Master {
  readonly issuer: string;
  /** Only this sandbox knows it, so that only its tokens are accepted. */
  readonly secret: string;
}

/** Tokens of the realm `master`: JWTs, because the admin client decodes them. `now` is Unix seconds of real time. */
export function masterTokens({ issuer, secret }: Master, now: number): Readonly<Record<string, unknown>> {
  const sid = randomId();
  const common = { iss: issuer, iat: now, sub: adminId, azp: 'admin-cli', sid, scope: 'email profile' };
  return {
    access_token: signed(secret, {
      ...common,
      exp: now + lifetimes.Bearer,
      jti: randomId(),
      typ: 'Bearer',
      preferred_username: 'admin',
      realm_access: { roles: ['create-realm', 'default-roles-master', 'offline_access', 'admin', 'uma_authorization'] },
    }),
    expires_in: lifetimes.Bearer,
    refresh_expires_in: lifetimes.Refresh,
    refresh_token: signed(secret, {
      ...common,
      exp: now + lifetimes.Refresh,
      jti: randomId(),
      typ: 'Refresh',
      aud: issuer,
    }),
    token_type: 'Bearer',
    'not-before-policy': 0,
    session_state: sid,
    scope: 'email profile',
  };
}

const adminId = randomId();

/** Whether a token says that it comes from this issuer; anybody can make such a token. */
export function isFrom(issuer: string, token: string): boolean {
  return claimsIn(token)?.iss === issuer;
}

/**
 * Accepts a token of `masterTokens` for the same issuer.
 * @throws invalid_token
 */
export function requireMasterToken(
  { issuer, secret }: Master,
  token: string,
  typ: keyof typeof lifetimes,
  now: number,
): void {
  const signedPart = token.slice(0, token.lastIndexOf('.'));
  const claims = claimsIn(token);
  const isOurs = sameSecret(token, `${signedPart}.${signatureOf(secret, signedPart)}`);
  if (!isOurs || claims?.iss !== issuer || claims.typ !== typ)
    throw invalidToken('access_token_unreadable', 'this is not a token of the realm master of this sandbox');
  if (typeof claims.exp !== 'number' || claims.exp <= now)
    throw invalidToken('access_token_expired', 'the token of the realm master is expired', {
      sent: `exp ${String(claims.exp)}`,
      expected: `later than now, ${now}`,
    });
}

function claimsIn(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, claims = ''] = token.split('.');
  return recordIn(Buffer.from(claims, 'base64url').toString());
}

function signed(secret: string, claims: object): string {
  const parts = [{ alg: 'HS512', typ: 'JWT' }, claims];
  const input = parts.map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${input}.${signatureOf(secret, input)}`;
}

function signatureOf(secret: string, input: string): string {
  return createHmac('sha512', secret).update(input).digest('base64url');
}
