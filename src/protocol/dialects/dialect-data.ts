import type { AuthorizationServer } from '../authorization-server.ts';
import type {
  Answering,
  Dialect as AnyDialect,
  DemandedMode,
  MessageMode,
  SecretKind,
  SpokenError,
  WrittenFor,
  WrittenKind,
} from '../dialect.ts';
import type { OAuthError } from '../errors.ts';
import type { Reason } from '../reason.ts';
import type { TestUser } from '../users/user.ts';
import type { ClaimContext, ClaimRule, CodedRule } from './claim-rules.ts';

type Dialect = AnyDialect<AuthorizationServer>;

/** The members of a dialect that a preset gives as they are. Its `options` are for templates, too: `${options.realm}`. */
type GivenMembers = Pick<
  Dialect,
  | ('name' | 'options' | 'accessTokenType' | 'heard' | 'loginName')
  | ('ownSectors' | 'takesBasicId' | 'takesSecretTwice' | 'redirectUriNeeded' | 'refreshNeedsScope' | 'userinfoByScope')
  | 'openScopes'
>;

/** A dialect as a preset describes it. */
export interface DialectData extends GivenMembers {
  /** The issuer identifier as a template of `issuer`, the address, and `options`; absent: the address. */
  readonly identifier?: string;
  /** Issuer identifiers of tokens in other versions, as such templates. */
  readonly otherIdentifiers?: readonly string[];
  /** Values for the templates of a token or an answer, as `${facts.NAME}`: those that only code can compute. */
  readonly facts?: (about: WrittenFor<AuthorizationServer>, members: Readonly<Record<string, unknown>>) => object;
  /** Absent: the usual one. */
  readonly metadata?: MetadataForm;
  /** Tokens and answers with a form of their own; `refreshToken` makes refresh tokens JWTs. */
  readonly forms: Partial<Readonly<Record<WrittenKind, ClaimForm>>>;
  /**
   * Response modes by which a page posts the answer to the window that asked, each with its message as a template of
   * `response`, the parameters: `'${response}'` is the parameters themselves.
   */
  readonly messages?: Readonly<Record<MessageMode, unknown>>;
  /** Names of parameters, each with the name that standards have: `{ audience: 'resource' }`. */
  readonly parameterNames?: Readonly<Record<string, string>>;
  /**
   * The APIs that clients may ask tokens for, as templates of `issuer`, besides those of clients and those that programs
   * add; absent: any.
   */
  readonly resources?: readonly string[];
  /** True if an access token that is for no named API is a random text. */
  readonly opaqueWithoutResource?: true;
  /** True if a login may be one to an organization of the user, by the parameter `organization`. */
  readonly organizations?: true;
  /** Default scopes are for requests without `scope` alone, and a request that gets no scope is refused. */
  readonly scopeNeeded?: true;
  /** By our reason; other errors stay as they are. Of several rules the first that fits counts. */
  readonly errors: Partial<Readonly<Record<Reason, ErrorRule | readonly ErrorRule[]>>>;
  /** The last word about an answer to an error: for members that differ from answer to answer. */
  readonly finishError?: FinishError;
  /** Tokens and codes with a form of their own, made of a random text. */
  readonly secrets?: Partial<Readonly<Record<SecretKind, (random: string) => string>>>;
  readonly scopes?: ScopeForm;
  readonly requests?: RequestForm;
  readonly responses?: ResponseForm;
  /** Secrets that are JWTs, of clients that are registered for `private_key_jwt`; absent: there are none. */
  readonly secretJwt?: SecretJwtForm;
}

/** Scopes in requests and answers. */
export interface ScopeForm {
  /** Our name by the name of the provider. Requests may have either; answers have that of the provider. */
  readonly names?: Readonly<Record<string, string>>;
  /** The text between two scopes of an answer. In a request, scopes may also be separated by a space. */
  readonly separator?: string;
  /** Scopes that a request gets without asking for them: always, or together with one of `with`. */
  readonly adds?: readonly { readonly scope: string; readonly with?: readonly string[] }[];
  /** Leaves unknown scopes out of a request, in place of an error. */
  readonly dropsUnknown?: true;
  /** Known scopes that mean nothing to the provider, and are left out, too. */
  readonly drops?: readonly string[];
}

/** Authorization requests. */
export interface RequestForm {
  /** Values of parameters that were not sent. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Parameters that the provider knows and the sandbox otherwise ignores. */
  readonly parameters?: readonly string[];
  readonly demandedMode?: DemandedMode;
  /** Accepts a redirect URI below a registered one, also on a subdomain. */
  readonly subPaths?: true;
}

/** Authorization responses, and the grants behind them. */
export interface ResponseForm {
  /** Usual parameters that are left out, such as `iss` (RFC 9207). */
  readonly omit: readonly string[];
  /**
   * Further parameters. In the context, `first` is true for the first grant of a user to a client, and `consent` if the
   * user has allowed more than before, or was asked to (`prompt=consent`). Objects are sent as JSON.
   */
  readonly rules: readonly ClaimRule[];
  /** A request must name this value of a parameter to get a refresh token, and gets it only with `consent`. */
  readonly offline?: { readonly parameter: string; readonly value: string };
  /** The parameter whose value `true` adds the scopes of earlier grants. */
  readonly addsEarlierScopes?: string;
}

/** The claims of a client secret that is a JWT. */
export interface SecretJwtForm {
  readonly alg: string;
  readonly iss: string;
  readonly aud: string;
  /** Seconds that it may live. */
  readonly longest: number;
}

/** `spoken` is the answer by the rule of the reason, if there is one. */
export type FinishError = (
  spoken: SpokenError | undefined,
  error: OAuthError,
  answering: Answering<AuthorizationServer>,
) => SpokenError | undefined;

/** How an error is answered. `${sent}` and `${expected}` in the description are those of the error. */
export interface ErrorRule extends SpokenError {
  /** The rule is only for errors about this value; absent: for all. */
  readonly sent?: string;
}

/** Changes to the members of the metadata. */
export interface MetadataForm {
  /**
   * Members to add or to replace, as templates of `issuer`, `address` (without the path of the preset), `options`, `signingAlg` and
   * the `usual` members.
   */
  readonly add?: Readonly<Record<string, unknown>>;
  readonly omit?: readonly string[];
  /** The usual members to keep; absent: all besides `omit`. */
  readonly keep?: readonly string[];
}

/** Changes to claims: the usual ones without `omit`, and then those of the rules. */
export interface ClaimForm {
  /** Members that are written as text, such as `"true"`; a star at the end stands for any rest of the name. */
  readonly texts?: readonly string[];
  readonly omit: readonly string[];
  /** One audience is a list, too. */
  readonly listsAudience?: true;
  readonly rules: readonly (ClaimRule | CodedRule<TokenContext>)[];
}

/** A token or an answer that is being made, as rules see it. */
export interface TokenContext extends ClaimContext {
  /** The user with names of groups; absent where a client acts for itself. */
  readonly user?: TestUser & Readonly<Record<string, unknown>> & { readonly group_names?: readonly string[] };
  readonly scope: Readonly<Record<string, true>>;
  /** UUIDs of the `grant`, of one `answer` for it, and of one `token`. */
  readonly ids: { readonly grant?: string; readonly answer?: string; readonly token?: string };
}
