import type { Store } from '../storage/store.ts';
import type { ClientDirectory } from './client-directory.ts';
import type { Feature } from './feature.ts';
import type { GrantHandler } from './grants/grant.ts';
import type { Outbound } from './outbound.ts';
import type { Registration } from './registration.ts';
import type { ScopeDefinition } from './scope.ts';
import type { SigningKeys } from './tokens/signing-keys.ts';
import type { TestUser } from './user.ts';

/** Where the endpoints of one issuer are, as paths under its base address. */
export interface EndpointPaths {
  readonly authorize: string;
  readonly token: string;
  readonly jwks: string;
  readonly userinfo: string;
  readonly endSession: string;
  readonly introspect: string;
  readonly revoke: string;
  readonly pushedAuthorizationRequest: string;
  readonly deviceAuthorization: string;
  readonly deviceVerification: string;
  readonly backchannelAuthentication: string;
  readonly register: string;
  readonly checkSession: string;
}

export const defaultPaths: EndpointPaths = {
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
  register: '/connect/register',
  checkSession: '/connect/check_session',
};

/** One issuer with everything it works on. Endpoints and grants are functions over this value. */
export interface AuthorizationServer {
  /** RFC 8414 §2: exactly as in the metadata and in `iss`; never ends in a slash. */
  readonly issuer: string;
  readonly paths: EndpointPaths;
  /** What it offers; what is not in here is neither advertised nor answered. */
  readonly features: ReadonlySet<Feature>;
  /** Demands all that a security profile demands. */
  readonly profile: 'none' | 'fapi2';
  /** By `client_id`: configured ones, and those that registered themselves. */
  readonly clients: ClientDirectory;
  readonly registration: Registration;
  /** By `sub`. */
  readonly users: ReadonlyMap<string, TestUser>;
  readonly scopes: ReadonlyMap<string, ScopeDefinition>;
  /** By `grant_type`. */
  readonly grants: ReadonlyMap<string, GrantHandler>;
  readonly keys: SigningKeys;
  readonly store: Store;
  /** The only way to other servers. */
  readonly outbound: Outbound;
  /** OIDC Core §8.1: makes pairwise subjects of this issuer unlike any other's. */
  readonly pairwiseSalt: string;
  /** Unix seconds, whole. */
  readonly clock: () => number;
  /** For access tokens; ID Tokens follow the client (RS256 unless it asks otherwise). */
  readonly signingAlg: string;
  /** RFC 9068 has a string; `array` is what Spring sends. */
  readonly scopeClaim: 'string' | 'array';
  /** Seconds; a client may have its own. The lifetime of an access token is always the client's. */
  readonly lifetimes: {
    readonly code: number;
    readonly idToken: number;
    readonly refreshToken: number;
    readonly session: number;
  };
}

/** The absolute address of an endpoint. */
export function endpointUrl(server: AuthorizationServer, endpoint: keyof EndpointPaths): string {
  return server.issuer + server.paths[endpoint];
}
