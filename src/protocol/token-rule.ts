/** The tokens and answers that rules write claims into. */
export type RuledKind = 'accessToken' | 'idToken' | 'userinfo';

type Listed = string | readonly string[];

/** Claims to add to tokens, as templates. A condition with several values is met by one of them. */
export interface TokenRule {
  /** Only tokens of these clients, by `client_id`. Default: all clients. */
  readonly client?: Listed;
  /** Only tokens with one of these scopes. */
  readonly scope?: Listed;
  /** Only grants whose access token has one of these audiences. Such a rule counts for the ID token and UserInfo, too. */
  readonly audience?: Listed;
  /** Only grants that began with this `grant_type`; `mint` for minted tokens. */
  readonly grant?: Listed;
  /**
   * Conditions that must all be met. `user.email` has a value, `request.tenant=blue` is this value, and `request.tenant~b.*` matches
   * as a whole. Of a list, one value does. With `!` in front the condition must not be met.
   */
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
  readonly onToken?: OnToken;
  /** Seconds that `onToken` may take. */
  readonly timeout: number;
}

type Members = Readonly<Record<string, unknown>>;

/** The values that templates and `onToken` can use, by their first name. */
export interface RuleContext {
  /** The claims of the user, with `sub`, `username` and `access_token_claims`; absent where a client acts for itself. */
  readonly user: Members | undefined;
  /** The members of the client, without its secret. */
  readonly client: Members & { readonly client_id: string };
  /** The parameters of the request, without secrets. */
  readonly request: Members;
  /** Its `type`, its `resources`, and the facts of the login: `acr`, `amr`, `auth_time`, `sid`. */
  readonly grant: Members & { readonly type: string; readonly resources: readonly string[] };
  readonly scopes: readonly string[];
  /** The claims so far. */
  readonly claims: Members;
}

/** A token that is being made, as `onToken` sees it. It has copies: a change of them changes nothing. */
export interface OnTokenEvent extends RuleContext {
  readonly token: 'accessToken' | 'idToken';
  /** Refuses the token: the client gets `access_denied` with the reason as its description. */
  readonly deny: (reason: string) => never;
}

/** Returns claims to add; nothing to add none. Its time is limited by the setting `onTokenTimeout`. */
export type OnToken = (event: OnTokenEvent) => Promise<Members | undefined> | Members | undefined;

/** Claims that rules set, and the place of each rule: `tokenClaims[1]`. */
export interface RuledClaims {
  readonly claims: Members;
  readonly by: Readonly<Record<string, string>>;
}
