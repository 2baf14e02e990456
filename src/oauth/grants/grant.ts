import type { Emit } from '../../events/event.ts';
import type { Redemption } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../client.ts';
import type { RequestParameters } from '../parameters.ts';

/** A token request after client authentication. */
export interface TokenRequest {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly parameters: RequestParameters;
  readonly emit: Emit;
}

/** One `grant_type` (RFC 6749 §1.3). It knows nothing of tokens or HTTP. */
export interface GrantHandler {
  readonly grantType: string;
  /** The parameters it reads, besides the ones every token request has. */
  readonly parameters: readonly string[];
  /** @throws OAuthError with a code of RFC 6749 §5.2 */
  redeem(request: TokenRequest): Promise<Redemption>;
}
