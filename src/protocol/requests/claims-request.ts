/** Request for one claim (OIDC Core §5.5.1); null is a voluntary claim without conditions. */
export type ClaimRequest = {
  readonly essential?: boolean;
  readonly value?: unknown;
  readonly values?: readonly unknown[];
} | null;

/** The `claims` parameter (OIDC Core §5.5). */
export interface ClaimsRequest {
  readonly userinfo?: Readonly<Record<string, ClaimRequest>>;
  readonly id_token?: Readonly<Record<string, ClaimRequest>>;
}
