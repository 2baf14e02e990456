// Codes and tokens: issued, used, expired and revoked.

/** Type of the issued token; a code counts, because the lineage of every user token starts with one. */
export type TokenType = 'code' | 'access' | 'refresh' | 'id';

interface Issued {
  /** `tok_…`, the id of the dashboard's token page. */
  readonly tokenId: string;
  /** The raw code or token, as sent. */
  readonly token: string;
  readonly authorizationId: string;
  /** The code or refresh token it was made from. */
  readonly parentTokenId?: string;
  readonly client_id: string;
  /** The user; absent where a client acts for itself. */
  readonly sub?: string;
  readonly scope?: string;
  /** Unix seconds. */
  readonly iat: number;
  readonly exp: number;
}

/** An authorization code was issued. */
export interface CodeIssued extends Issued {
  readonly type: 'code.issued';
  readonly redirect_uri: string;
}

/** A token was issued or minted. */
export interface TokenIssued extends Issued {
  readonly type: 'token.issued';
  readonly tokenType: Exclude<TokenType, 'code'>;
  readonly format: 'jwt' | 'opaque';
  readonly grant_type: string;
  /** Of a refreshed token, the grant that the login began with; absent otherwise. */
  readonly began?: string;
  readonly kid?: string;
  readonly alg?: string;
  /** The signed JWT inside, where `token` is encrypted to the client. */
  readonly signed?: string;
  /** Names of claims edited at the login, or set by the call that minted it; absent where there are none. */
  readonly edited?: readonly string[];
  /** Names of claims that a preset set; absent without a preset. */
  readonly written?: { readonly by: string; readonly claims: readonly string[] };
  /** The place of the rule that set a claim, by claim: `tokenClaims[1]`; absent where there are none. */
  readonly ruled?: Readonly<Record<string, string>>;
  /** Claims of an ID token that the `claims` parameter asked for (OIDC Core §5.5); absent where there are none. */
  readonly requested?: readonly string[];
  /** Requested resources (RFC 8707); absent if the token has the default audience of its client. */
  readonly resources?: readonly string[];
  /** Those of them that the configuration does not name; absent where there are none. */
  readonly unknownResources?: readonly string[];
  /** Claims stored for an opaque access token. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Minted by the owner of the sandbox, not issued for a grant. */
  readonly minted?: true;
  /** Deliberate defect, such as `expired`, from minting or from a fault. */
  readonly defect?: string;
}

/** Tokens of one authorization were revoked. */
export interface TokenRevoked {
  readonly type: 'token.revoked';
  /** Everything that grew from this authorization is revoked. */
  readonly authorizationId: string;
  readonly client_id: string;
  readonly reason:
    | 'code_replayed'
    | 'refresh_token_reused'
    | 'revoked_by_client'
    | 'revoked_by_owner'
    | 'session_ended';
}

/** A code or token was expired manually, or that was undone. */
export interface TokenEnded {
  readonly type: 'token.ended' | 'token.resumed';
  readonly tokenId: string;
  readonly authorizationId: string;
  /** The client it was issued to. */
  readonly client_id: string;
}

/** A client introspected a token (RFC 7662). */
export interface TokenIntrospected {
  readonly type: 'token.introspected';
  /** The client that asked. */
  readonly client_id: string;
  /** All but `active` are answered with `{"active":false}`. `unknown` includes tokens that the caller may not inspect. */
  readonly state:
    | 'active'
    | 'expired'
    | 'ended'
    | 'not_yet_valid'
    | 'revoked'
    | 'replaced'
    | 'key_withdrawn'
    | 'unknown';
  /** The `tok_…` of the token. */
  readonly about?: string;
  /** The client it was issued to. */
  readonly issuedTo?: string;
}

/** An access token was accepted by UserInfo, or by the sample backend before it processed the request. */
export interface TokenUsed {
  readonly type: 'token.used';
  readonly endpoint: 'api' | 'userinfo';
  readonly tokenId: string;
  readonly authorizationId: string;
  /** The client it was issued to. */
  readonly client_id: string;
  /** The user; absent where a client acts for itself. */
  readonly sub?: string;
}

export type TokenEvent = CodeIssued | TokenIssued | TokenRevoked | TokenEnded | TokenIntrospected | TokenUsed;

/** Bytes that a request has besides a token: its first line and the usual headers. */
const others = 512;

/** Whether a request with this token in a header or in its address would be refused (431). A refresh token is in a body. */
export function exceedsHeader({ tokenType, token }: Pick<TokenIssued, 'tokenType' | 'token'>, most: number): boolean {
  return tokenType !== 'refresh' && token.length + others > most;
}
