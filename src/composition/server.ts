import type { Config } from '../config/config.ts';
import { type AuthorizationServer, defaultPaths } from '../oauth/authorization-server.ts';
import { grants } from '../oauth/grants/index.ts';
import { createSigningKeys, type SigningKey } from '../oauth/tokens/signing-keys.ts';

/** What the configuration does not say of an authorization server. */
export interface ServerParts extends Pick<AuthorizationServer, 'issuer' | 'clock' | 'store' | 'users'> {
  /** Key pairs that are being made already. */
  readonly begunKeys?: ReadonlyMap<string, Promise<SigningKey>> | undefined;
}

/** One issuer from its configuration. There is always an RS256 key, because ID Tokens are RS256 unless a client asks otherwise. */
export function createServer(
  config: Config,
  { issuer, clock, store, users, begunKeys }: ServerParts,
): AuthorizationServer {
  const idTokenAlgs = config.clients.map(client => client.id_token_signed_response_alg);
  const keys = createSigningKeys({
    algs: [...new Set([config.signingAlg, 'RS256', ...idTokenAlgs])],
    jwks: config.keys,
    ...(begunKeys === undefined ? {} : { begun: begunKeys }),
  });
  return {
    issuer,
    paths: defaultPaths,
    clients: new Map(config.clients.map(client => [client.client_id, client])),
    users,
    scopes: new Map(config.scopes.map(scope => [scope.name, scope])),
    grants,
    keys,
    store,
    clock,
    signingAlg: config.signingAlg,
    scopeClaim: config.scopeClaim,
    lifetimes: {
      code: config.codeLifetime,
      idToken: config.idTokenLifetime,
      refreshToken: config.refreshTokenLifetime,
      session: config.sessionLifetime,
    },
  };
}
