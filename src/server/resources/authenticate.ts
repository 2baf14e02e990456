import type { Request } from 'express';
import { type AccessTokenOptions, createAccessTokenCheck } from './access-token.ts';
import { type AudienceOptions, checkAudience } from './audience.ts';
import { invalidToken, type PresentedToken, readAccessToken } from './bearer-token.ts';
import { checkCertificateBinding } from './certificate-binding.ts';
import { moment } from './compared.ts';
import { createDpopCheck, type DpopOptions } from './dpop.ts';
import { type Problem, withExtras } from './problem.ts';
import type { Claims } from './token-claims.ts';

export interface AuthenticationOptions extends AccessTokenOptions, AudienceOptions {
  /** Absent: the scheme DPoP is not accepted. */
  readonly dpop?: DpopOptions;
  /** True if an unexpired token was ended before its time. It is then refused as expired. */
  readonly isEnded?: (claims: Claims) => boolean | Promise<boolean>;
}

/**
 * Authenticates the caller: returns the claims of a valid access token that was sent with the key it is bound to. A
 * refusal is a 401 problem.
 */
export type Authentication = (request: Request, identifiers: readonly string[]) => Promise<Claims>;

export function createAuthentication(options: AuthenticationOptions): Authentication {
  const checkToken = createAccessTokenCheck(options);
  const checkProof = options.dpop === undefined ? undefined : createDpopCheck(options.dpop, options.clock);

  async function checkUse(claims: Claims, presented: PresentedToken, request: Request, identifiers: readonly string[]) {
    const isEnded = options.isEnded?.(claims) ?? false;
    if (isEnded !== false && (await isEnded)) throw ended(claims);
    checkAudience(claims, options, identifiers);
    checkCertificateBinding(claims, request);
    await checkProof?.(presented, claims, request);
  }

  return async (request, identifiers) => {
    const presented = readAccessToken(request, options.dpop?.algorithms);
    const claims = await checkToken(presented.token);
    try {
      await checkUse(claims, presented, request, identifiers);
    } catch (error) {
      throw withExtras(error, { claims });
    }
    return claims;
  };
}

function ended({ exp }: Claims): Problem {
  return invalidToken('token_ended', 'the token has expired: it was ended early', {
    sent: 'a token that was ended with Expire now',
    expected: `a token that has not been ended; its exp is ${typeof exp === 'number' ? moment(exp) : 'unknown'}`,
  });
}
