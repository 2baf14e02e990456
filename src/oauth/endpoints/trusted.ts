import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import type { ResponseTarget } from '../requests/authorization-response.ts';
import type { EffectiveRequest } from '../requests/open-request.ts';

/** A request whose client and redirect URI are trusted, and whose parameters are checked. */
export interface Trusted {
  readonly target: ResponseTarget;
  readonly asked: AuthorizationRequest;
  readonly effective: EffectiveRequest;
}
