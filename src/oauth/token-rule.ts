/** The tokens and answers that rules write claims into. */
export type RuledKind = 'accessToken' | 'idToken' | 'userinfo';

type Listed = string | readonly string[];

/** Claims to add to tokens, as templates. A condition with several values is met by one of them. */
export interface TokenRule {
  /** Only tokens of these clients, by `client_id`. Default: all clients. */
  readonly client?: Listed;
  /** Only tokens with one of these scopes. */
  readonly scope?: Listed;
  /** Only grants whose access token has one of these audiences. Such a rule counts for the ID Token and UserInfo, too. */
  readonly audience?: Listed;
  /** Only grants that began with this `grant_type`; `mint` for minted tokens. */
  readonly grant?: Listed;
  /** Paths that must all have a value, such as `user.email`. With `!` in front a path must have none. */
  readonly when?: Listed;
  /** The tokens and answers that get the claims. Default: all three. */
  readonly for?: RuledKind | readonly RuledKind[];
  /** Claims by name. `${user.email}` stands for a value. Claims of the protocol, such as `exp`, are refused. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The rules of one server. */
export interface TokenRules {
  /** In the order they apply. */
  readonly templates: readonly TokenRule[];
}

/** Undefined where no rule adds claims: then a token request loads nothing of them. */
export function tokenRulesOf({ tokenClaims }: { readonly tokenClaims: readonly TokenRule[] }): TokenRules | undefined {
  return tokenClaims.length === 0 ? undefined : { templates: tokenClaims };
}

/** Claims that rules set, and the place of each rule: `tokenClaims[1]`. */
export interface RuledClaims {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly by: Readonly<Record<string, string>>;
}
