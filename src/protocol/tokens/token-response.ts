import type { AuthorizationDetail } from '../requests/authorization-details.ts';

/** RFC 6749 §5.1, OIDC Core §3.1.3.3. */
export interface TokenResponse {
  readonly access_token: string;
  /** `N_A` for a token that is not an access token (RFC 8693 §2.2.1). */
  readonly token_type: 'Bearer' | 'DPoP' | 'N_A';
  /** Lifetime of the access token in seconds. */
  readonly expires_in: number;
  readonly scope?: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  /** RFC 8693 §2.2.1. */
  readonly issued_token_type?: string;
  /** RFC 9396 §7. */
  readonly authorization_details?: readonly AuthorizationDetail[];
}
