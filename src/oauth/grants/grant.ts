import type { Emit } from '../../events/event.ts';
import type { Redemption } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { Feature } from '../feature.ts';
import type { RequestParameters } from '../parameters.ts';
import type { Confirmation } from '../proofs/confirmation.ts';

/** A token request after client authentication. */
export interface TokenRequest {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly parameters: RequestParameters;
  readonly emit: Emit;
  /** What the sender has proved to hold: the tokens will be bound to it. */
  readonly confirmation?: Confirmation | undefined;
}

/** One `grant_type` (RFC 6749 §1.3). It knows nothing of tokens or HTTP. */
export interface GrantHandler {
  readonly grantType: string;
  /** Where it is off, the grant is neither advertised nor answered. */
  readonly feature?: Feature;
  /** The parameters it reads, besides the ones every token request has. */
  readonly parameters: readonly string[];
  /** @throws OAuthError with a code of RFC 6749 §5.2 */
  redeem(request: TokenRequest): Promise<Redemption>;
}
