import type { Config } from '../config/config.ts';
import { type AuthorizationServer, defaultPaths } from '../oauth/authorization-server.ts';
import { createClientDirectory } from '../oauth/client-directory.ts';
import { defaultFeatures, type Feature, featureNames, legacyFeatures } from '../oauth/feature.ts';
import { grants } from '../oauth/grants/index.ts';
import { randomSecret } from '../oauth/random.ts';
import { createSigningKeys, type SigningKey } from '../oauth/tokens/signing-keys.ts';
import { createRegistration } from './registration.ts';

/** What the configuration does not say of an authorization server. */
export interface ServerParts extends Pick<AuthorizationServer, 'issuer' | 'clock' | 'store' | 'users' | 'outbound'> {
  /** Key pairs that are being made already. */
  readonly begunKeys?: ReadonlyMap<string, Promise<SigningKey>> | undefined;
}

/** One issuer from its configuration. There is always an RS256 key, because ID Tokens are RS256 unless a client asks otherwise. */
export function createServer(
  config: Config,
  { issuer, clock, store, users, outbound, begunKeys }: ServerParts,
): AuthorizationServer {
  const idTokenAlgs = config.clients.map(client => client.id_token_signed_response_alg);
  const keys = createSigningKeys({
    algs: [...new Set([config.signingAlg, 'RS256', ...idTokenAlgs])],
    jwks: config.keys,
    ...(begunKeys === undefined ? {} : { begun: begunKeys }),
  });
  const features = featuresOf(config);
  return {
    issuer,
    paths: defaultPaths,
    features,
    profile: config.profile,
    clients: createClientDirectory(config.clients),
    registration: createRegistration(config),
    users,
    scopes: new Map(config.scopes.map(scope => [scope.name, scope])),
    grants: new Map([...grants].filter(([, { feature }]) => feature === undefined || features.has(feature))),
    keys,
    store,
    outbound,
    pairwiseSalt: randomSecret(),
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

/** What is on: all but what OAuth 2.1 has removed, unless a client is registered for that; then what was said by name. */
function featuresOf({ features: switches, registration, clients }: Config): ReadonlySet<Feature> {
  const grantTypes = new Set(clients.flatMap(client => client.grant_types));
  const isOn = (name: Feature) => {
    if (name === 'registration' && registration === 'off') return false;
    return (
      switches[name] ?? (defaultFeatures.includes(name) || (legacyFeatures.includes(name) && grantTypes.has(name)))
    );
  };
  return new Set(featureNames.filter(isOn));
}
