import type { Request } from 'express';
import { type AccessTokenOptions, createAccessTokenCheck } from './access-token.ts';
import { type AudienceOptions, checkAudience } from './audience.ts';
import { readAccessToken } from './bearer-token.ts';
import { checkCertificateBinding } from './certificate-binding.ts';
import { createDpopCheck, type DpopOptions } from './dpop.ts';
import type { Claims } from './jws.ts';

export interface AuthenticationOptions extends AccessTokenOptions, AudienceOptions {
  /** Absent: the scheme DPoP means nothing here. */
  readonly dpop?: DpopOptions;
}

/** Who calls: the claims of a good access token that came with what it is bound to. A refusal is a 401 problem. */
export type Authentication = (request: Request, identifiers: readonly string[]) => Promise<Claims>;

export function createAuthentication(options: AuthenticationOptions): Authentication {
  const checkToken = createAccessTokenCheck(options);
  const checkProof = options.dpop === undefined ? undefined : createDpopCheck(options.dpop, options.clock);
  return async (request, identifiers) => {
    const presented = readAccessToken(request.headers.authorization, options.dpop?.algorithms);
    const claims = await checkToken(presented.token);
    checkAudience(claims, options, identifiers);
    checkCertificateBinding(claims, request);
    await checkProof?.(presented, claims, request);
    return claims;
  };
}
