import type { Emit } from '../events/event.ts';
import type { Store } from '../storage/store.ts';
import type { Redemption } from './authorization.ts';
import type { RegisteredClient } from './clients/client.ts';
import type { ClientDirectory } from './clients/client-directory.ts';
import type { Registration } from './clients/registration.ts';
import type { Feature } from './feature.ts';
import type { Outbound } from './outbound.ts';
import type { RequestParameters } from './parameters.ts';
import type { Confirmation } from './proofs/confirmation.ts';
import type { ProtectedResource } from './protected-resource.ts';
import type { Random } from './random.ts';
import type { AuthorizationDetailsType } from './requests/authorization-details.ts';
import type { ScopeDefinition } from './scope.ts';
import type { Tampering } from './tampering.ts';
import type { SigningKeys } from './tokens/signing-keys.ts';
import type { TrustedIssuer } from './trusted-issuer.ts';
import type { UserDirectory } from './users/user.ts';

export const defaultPaths = {
  authorize: '/oauth2/authorize',
  token: '/oauth2/token',
  jwks: '/oauth2/jwks',
  userinfo: '/userinfo',
  endSession: '/connect/logout',
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

/** Where the endpoints of one issuer are, as paths under its base address. */
export type EndpointPaths = Readonly<typeof defaultPaths>;

/** One issuer with everything it works on. Endpoints and grants are functions over this value. */
export interface AuthorizationServer {
  /** RFC 8414 §2: exactly as in the metadata and in `iss`; never ends in a slash. */
  readonly issuer: string;
  /** Where back ends reach it, which cannot reach the issuer: an address like that, for the same server. */
  readonly backchannelUrl?: string;
  readonly paths: EndpointPaths;
  /** Features this server offers. A feature that is not in the set is neither advertised nor answered. */
  readonly features: ReadonlySet<Feature>;
  /** Demands all that a security profile demands. */
  readonly profile: 'none' | 'fapi2';
  /** True if every client must sign its authorization requests (RFC 9101 §10.5). */
  readonly requireSignedRequests: boolean;
  /** By `client_id`: configured ones, and those that registered themselves. */
  readonly clients: ClientDirectory;
  readonly registration: Registration;
  /** By `sub`. */
  readonly users: UserDirectory;
  /** By `iss`: whose JWTs say who a user is (RFC 7523 §3, RFC 8693 §2.1). */
  readonly trustedIssuers: ReadonlyMap<string, TrustedIssuer>;
  /** By name; one that a client is given while it runs comes in. */
  readonly scopes: Map<string, ScopeDefinition>;
  /** By name: the types of authorization details it knows (RFC 9396 §2.1). */
  readonly authorizationDetailsTypes: ReadonlyMap<string, AuthorizationDetailsType>;
  /** The `acr` values a login can reach; empty: any, the sandbox believes them all. */
  readonly acrValues: readonly string[];
  /** The user who is signed in without a click, unless the request or the client names one. */
  readonly autoLogin: {
    /** `sub`, username or e-mail address; absent: nobody. */
    readonly user?: string;
    /** Whom `login_hint` names. */
    readonly byHint: boolean;
    /** The answer to a request that asks for the login page (`prompt=login`, `select_account`). */
    readonly prompt: 'silent' | 'show';
  };
  /** By `grant_type`. */
  readonly grants: ReadonlyMap<string, GrantHandler>;
  readonly keys: SigningKeys;
  readonly store: Store;
  /** Bends on purpose what leaves it; absent: it never lies. */
  readonly tampering?: Tampering;
  /** Source of the codes, tokens and ids. */
  readonly random: Random;
  /** The APIs it describes (RFC 9728): the sample backend, as a whole and by collection. */
  readonly protectedResources: readonly ProtectedResource[];
  /** The only way to other servers. */
  readonly outbound: Outbound;
  /** The same for what strangers name: clients that registered or describe themselves. */
  readonly strangersOutbound: Outbound;
  /** RFC 9449 §8, §9: whether proofs need a nonce of ours, and what nonces are made of. */
  readonly dpop: { readonly nonceRequired: boolean; readonly secret: string };
  /** OIDC Core §8.1: makes pairwise subjects of this issuer unlike any other's. */
  readonly pairwiseSalt: string;
  /** Unix seconds, whole. It can be moved. */
  readonly clock: () => number;
  /** The real time, in the same form. */
  readonly wallClock: () => number;
  /** JWTs of others that may come once. Its time is the earlier of the two clocks. */
  readonly usedJwts: Store;
  /** Documents that were fetched. Its time is `elapsed`: a frozen clock keeps no old keys. */
  readonly fetched: Store;
  /** Seconds, with a fraction, since some moment: by a clock that nobody moves, for how often something is done. */
  readonly elapsed: () => number;
  /** For access tokens; ID Tokens follow the client (RS256 unless it asks otherwise). */
  readonly signingAlg: string;
  /** RFC 9068 has a string; `array` is what Spring sends. */
  readonly scopeClaim: 'string' | 'array';
  /** Seconds between two polls of a device or of a CIBA client (RFC 8628 §3.2). */
  readonly pollInterval: number;
  /** Seconds; a client may have its own. */
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

/** A client that asks a server, with the log of its request. */
export interface ClientCall {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly emit: Emit;
}

/** A token request after client authentication. */
export interface TokenRequest extends ClientCall {
  readonly parameters: RequestParameters;
  /** The key the sender has proved to hold; the tokens are bound to it. */
  readonly confirmation?: Confirmation | undefined;
}

/** One `grant_type` (RFC 6749 §1.3). It knows nothing of tokens or HTTP. */
export interface GrantHandler {
  readonly grantType: string;
  /** Where it is off, the grant is neither advertised nor answered. */
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

/** The address of this server as the caller knows it: the issuer, or the back-channel URL for back ends. */
export function askedAt(
  { issuer, backchannelUrl = issuer }: Pick<AuthorizationServer, 'issuer' | 'backchannelUrl'>,
  { isBackchannel }: { readonly isBackchannel?: true },
): string {
  return isBackchannel ? backchannelUrl : issuer;
}

/** Every absolute address of a path of this server: by the issuer first, and by the back channel where there is one. */
export function addressesOf(
  { issuer, backchannelUrl }: Pick<AuthorizationServer, 'issuer' | 'backchannelUrl'>,
  path: string,
): readonly string[] {
  return backchannelUrl === undefined ? [issuer + path] : [issuer + path, backchannelUrl + path];
}
