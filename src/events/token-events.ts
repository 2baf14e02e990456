// Codes and tokens, and what becomes of them.

/** What was issued; a code counts, because the lineage of every user token starts with one. */
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

export interface CodeIssued extends Issued {
  readonly type: 'code.issued';
  readonly redirect_uri: string;
}
export interface TokenIssued extends Issued {
  readonly type: 'token.issued';
  readonly tokenType: Exclude<TokenType, 'code'>;
  readonly format: 'jwt' | 'opaque';
  readonly grant_type: string;
  readonly kid?: string;
  readonly alg?: string;
  /** What only the client can read, where `token` is encrypted to it. */
  readonly signed?: string;
  /** Its claims that were set for the login it came from, or by the call that minted it; absent where there are none. */
  readonly edited?: readonly string[];
  /** Claims of an ID Token that the `claims` parameter asked for (OIDC Core §5.5); absent where there are none. */
  readonly requested?: readonly string[];
  /** What an access token was asked for (RFC 8707); absent for the audience its client always has. */
  readonly resources?: readonly string[];
  /** What an opaque access token stands for. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Nobody asked for it by a grant: whoever owns the sandbox had it made. */
  readonly minted?: true;
  /** What is wrong with it on purpose, `expired`: it was minted so, or a fault has bent it. */
  readonly defect?: string;
}
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

/** Whoever owns the sandbox ended one code or token before its time, or took that back. */
export interface TokenEnded {
  readonly type: 'token.ended' | 'token.resumed';
  readonly tokenId: string;
  readonly authorizationId: string;
  /** The client it was issued to. */
  readonly client_id: string;
}
export interface TokenIntrospected {
  readonly type: 'token.introspected';
  /** Who asked. */
  readonly client_id: string;
  /** All but `active` is told as `{"active":false}`; `unknown` is also what the caller may not know. */
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

/** An access token was accepted: by the sample backend, before it looks at what is asked of it, or by UserInfo. */
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
