import type { Emit } from '../base/events/event.ts';
import type { Store } from '../base/store.ts';
import type { AuthorizationDetailsType, Confirmation, Redemption } from './authorization.ts';
import type { Jwk, RegisteredClient } from './clients/client.ts';
import type { ClientDirectory } from './clients/client-directory.ts';
import type { Dialect } from './dialect.ts';
import type { InputProblem } from './errors.ts';
import type { Feature } from './feature.ts';
import type { Outbound } from './outbound.ts';
import type { RequestParameters } from './parameters.ts';
import type { ProtectedResource } from './protected-resource.ts';
import type { Random } from './random.ts';
import type { DropInSettings, Relaxations } from './relaxation.ts';
import type { ScopeDefinition } from './scope.ts';
import type { TokenRules } from './token-rule.ts';
import type { Tampering } from './tokens/signing-key.ts';
import type { SigningKeys } from './tokens/signing-keys.ts';
import type { UserDirectory } from './users/user.ts';

export const defaultPaths = {
  authorize: '/oauth2/authorize',
  token: '/oauth2/token',
  jwks: '/oauth2/jwks',
  userinfo: '/userinfo',
  endSession: '/connect/logout',
  /** Takes the confirmation of our logout page. */
  confirmLogout: '/logout',
  introspect: '/oauth2/introspect',
  revoke: '/oauth2/revoke',
  pushedAuthorizationRequest: '/oauth2/par',
  deviceAuthorization: '/oauth2/device_authorization',
  deviceVerification: '/oauth2/device_verification',
  backchannelAuthentication: '/oauth2/bc-authorize',
  /** Where users decide about backchannel authentication requests. */
  approvals: '/approvals',
  register: '/connect/register',
  checkSession: '/connect/check_session',
};

/** Paths of the endpoints of one issuer, under its base address. */
export type EndpointPaths = Readonly<typeof defaultPaths>;

/** One issuer with all of its state. Endpoints and grants are functions of this value. */
export interface AuthorizationServer {
  /** The address of this issuer, below which its endpoints and pages are; never ends in a slash. */
  readonly issuer: string;
  /** RFC 8414 §2: the issuer identifier, exactly as in the metadata and in `iss`. It is `issuer`, unless `ISSUER` ends in a slash or a dialect has another. */
  readonly iss: string;
  /** Address at which back ends reach this server if they cannot reach the issuer. */
  readonly backchannelUrl?: string;
  readonly paths: EndpointPaths;
  /** Features this server offers. A feature that is not in the set is neither advertised nor answered. */
  readonly features: ReadonlySet<Feature>;
  /** Only a server that was made for learners has them. */
  readonly relaxations?: Relaxations;
  /** Absent: none is on. */
  readonly dropIns?: DropInSettings;
  /** Absent: the standard form. */
  readonly dialect?: Dialect<AuthorizationServer>;
  /** Absent: no rule adds claims. */
  readonly tokenRules?: TokenRules;
  /** Logs a failure of a function of the configuration. */
  readonly tellFailure?: ((error: unknown) => void) | undefined;
  /** `fapi2` enforces everything that FAPI 2.0 requires. */
  readonly profile: 'none' | 'fapi2';
  /** True if every client must sign its authorization requests (RFC 9101 §10.5). */
  readonly requireSignedRequests: boolean;
  /** Whether a `resource` that nobody configured is refused (RFC 8707 §2); the profile `fapi2` refuses it anyway. */
  readonly unknownResources: 'accept' | 'refuse';
  /** `issuer`: a client assertion must have the issuer as its only audience (draft-ietf-oauth-rfc7523bis). */
  readonly assertionAudience: 'any' | 'issuer';
  /** By `client_id`: clients of the configuration, and clients that registered themselves. */
  readonly clients: ClientDirectory;
  readonly registration: Registration;
  /** By `sub`. */
  readonly users: UserDirectory;
  /** By `iss`: issuers whose JWTs may say who a user is (RFC 7523 §3, RFC 8693 §2.1). */
  readonly trustedIssuers: ReadonlyMap<string, TrustedIssuer>;
  /** By name. A scope that a client gets at run time is added. */
  readonly scopes: Map<string, ScopeDefinition>;
  /** By name: the supported types of authorization details (RFC 9396 §2.1). */
  readonly authorizationDetailsTypes: ReadonlyMap<string, AuthorizationDetailsType>;
  /** The `acr` values a login can reach. Empty: any, because the sandbox accepts every value. */
  readonly acrValues: readonly string[];
  /** The user who is signed in without a click, unless the request or the client names one. */
  readonly autoLogin: {
    /** `sub`, username or e-mail address; absent: nobody. */
    readonly user?: string;
    /** True if the user that `login_hint` names signs in without a click. */
    readonly byHint: boolean;
    /** The answer to a request that asks for the login page (`prompt=login`, `select_account`). */
    readonly prompt: 'silent' | 'show';
  };
  /** By `grant_type`. */
  readonly grants: ReadonlyMap<string, GrantHandler>;
  readonly keys: SigningKeys;
  readonly store: Store;
  /** Damages JWTs on purpose before they are sent; absent: sends every JWT as it should be. */
  readonly tampering?: Tampering;
  /** Source of the codes, tokens and ids. */
  readonly random: Random;
  /** The APIs that have metadata (RFC 9728): the sample backend as a whole, and each of its collections. */
  readonly protectedResources: readonly ProtectedResource[];
  /** Sends requests to other servers. Nothing else does. */
  readonly outbound: Outbound;
  /** Like `outbound`, for addresses of clients that registered or described themselves. */
  readonly strangersOutbound: Outbound;
  /** RFC 9449 §8, §9: whether proofs need a nonce, and the secret that nonces are computed from. */
  readonly dpop: { readonly nonceRequired: boolean; readonly secret: string };
  /** OIDC Core §8.1: makes the pairwise subjects of this issuer differ from those of other issuers. */
  readonly pairwiseSalt: string;
  /** Whole Unix seconds. The clock can be moved. */
  readonly clock: () => number;
  /** The real time, in whole Unix seconds. */
  readonly wallClock: () => number;
  /** JWTs of others that may be used only once. Entries expire by the earlier of the two clocks. */
  readonly usedJwts: Store;
  /** Fetched documents. Entries expire by `elapsed`, so that a frozen clock does not keep old keys. */
  readonly fetched: Store;
  /** Seconds since some moment, with a fraction. This clock cannot be moved; it limits how often something is done. */
  readonly elapsed: () => number;
  /** Algorithm of access tokens. ID tokens use the algorithm of the client (default RS256). */
  readonly signingAlg: string;
  /** RFC 9068 requires a string; `array` is the form that Spring uses. */
  readonly scopeClaim: 'string' | 'array';
  /** Seconds between two polls of a device or of a CIBA client (RFC 8628 §3.2). */
  readonly pollInterval: number;
  /** Seconds; a client may override some of them. */
  readonly lifetimes: {
    readonly code: number;
    /** Default lifetimes in seconds. The configuration copies them into each client that has no lifetimes. */
    readonly accessToken: number;
    readonly idToken: number;
    readonly refreshToken: number;
    readonly session: number;
    /** Lifetime of pushed authorization requests (RFC 9126 §2.2). */
    readonly pushedRequest: number;
    /** Lifetime of device codes, and of backchannel authentication requests without `requested_expiry`. */
    readonly deviceCode: number;
  };
}

/** A call by a client to a server, with the log of its request. */
export interface ClientCall {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly emit: Emit;
}

/** A token request after client authentication. */
export interface TokenRequest extends ClientCall {
  readonly parameters: RequestParameters;
  /** The key that the sender has proved to hold. The tokens are bound to it. */
  readonly confirmation?: Confirmation;
}

/** One `grant_type` (RFC 6749 §1.3). It does not issue tokens and does not depend on HTTP. */
export interface GrantHandler {
  readonly grantType: string;
  /** The grant type that clients must be registered for, if it is not this one. */
  readonly registeredAs?: string;
  /** Each client may use the grant, whatever it is registered for. */
  readonly isForAll?: true;
  /** While this feature is off, the grant is neither advertised nor accepted. */
  readonly feature?: Feature;
  /** Parameters this grant reads in addition to those of every token request. */
  readonly parameters: readonly string[];
  /** @throws OAuthError with a code of RFC 6749 §5.2 */
  redeem(request: TokenRequest): Promise<Redemption>;
}

/** The absolute address of an endpoint. */
export function endpointUrl(server: AuthorizationServer, endpoint: keyof EndpointPaths): string {
  return server.issuer + server.paths[endpoint];
}

/** The address of this server as the caller knows it: the issuer, or the back-channel URL for a back end. */
export function askedAt(
  { issuer, backchannelUrl = issuer }: Pick<AuthorizationServer, 'issuer' | 'backchannelUrl'>,
  { isBackchannel }: { readonly isBackchannel?: true },
): string {
  return isBackchannel ? backchannelUrl : issuer;
}

/** Every absolute address of a path: first under the issuer, then under the back-channel URL if there is one. */
export function addressesOf(
  { issuer, backchannelUrl }: Pick<AuthorizationServer, 'issuer' | 'backchannelUrl'>,
  path: string,
): readonly string[] {
  return backchannelUrl === undefined ? [issuer + path] : [issuer + path, backchannelUrl + path];
}

/** Another issuer, whose signed JWTs this server accepts (RFC 7523 §3). */
export interface TrustedIssuer {
  /** The `iss` of its JWTs, compared character by character. */
  readonly issuer: string;
  /** Its public keys, or the address they are fetched from. */
  readonly jwks?: { readonly keys: readonly Jwk[] };
  readonly jwks_uri?: string;
  /** Values of `aud` that are accepted in addition to the issuer identifier and the token endpoint of this server. */
  readonly audience: readonly string[];
  /** Empty means every asymmetric one. */
  readonly algorithms: readonly string[];
  /** The claim that names the user. */
  readonly subjectClaim: string;
  /** Maps its subjects to the `sub` of users here. A subject that is not mapped means the user with the same `sub`. */
  readonly users: Readonly<Record<string, string>>;
  /** True if an unknown subject becomes a new user. */
  readonly createUsers: boolean;
}

/** Rules for registration, and the function that turns metadata into a client by the rules of a configuration entry. */
export interface Registration {
  /** `token`: with the initial access token only (RFC 7591 §3). The feature `registration` turns registration on. */
  readonly mode: 'open' | 'token';
  readonly initialAccessToken?: string;
  /** Checks an entry with a `client_id` and fills its defaults. It checks RFC 7591 metadata only, not our own extensions. */
  readonly readClient: (
    metadata: Readonly<Record<string, unknown>>,
    origin: RegisteredClient['origin'],
  ) => Promise<{ readonly client: RegisteredClient } | { readonly problems: readonly InputProblem[] }>;
}
