import type { Store } from '../storage/store.ts';
import type { RegisteredClient } from './client.ts';
import type { GrantHandler } from './grants/grant.ts';
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
}

export const defaultPaths: EndpointPaths = {
  authorize: '/oauth2/authorize',
  token: '/oauth2/token',
  jwks: '/oauth2/jwks',
  userinfo: '/userinfo',
  endSession: '/connect/logout',
};

/** One issuer with everything it works on. Endpoints and grants are functions over this value. */
export interface AuthorizationServer {
  /** RFC 8414 §2: exactly as in the metadata and in `iss`; never ends in a slash. */
  readonly issuer: string;
  readonly paths: EndpointPaths;
  readonly clients: ReadonlyMap<string, RegisteredClient>;
  /** By `sub`. */
  readonly users: ReadonlyMap<string, TestUser>;
  readonly scopes: ReadonlyMap<string, ScopeDefinition>;
  /** By `grant_type`. */
  readonly grants: ReadonlyMap<string, GrantHandler>;
  readonly keys: SigningKeys;
  readonly store: Store;
  /** Unix seconds, whole. */
  readonly clock: () => number;
  /** For access tokens; ID Tokens follow the client (RS256 unless it asks otherwise). */
  readonly signingAlg: string;
  /** RFC 9068 has a string; `array` is what Spring sends. */
  readonly scopeClaim: 'string' | 'array';
  /** Seconds. The lifetime of an access token is the client's. */
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
