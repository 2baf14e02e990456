import type { Emit } from '../../base/events/event.ts';
import { createMemoryStore } from '../../base/store.ts';
import type { Registration } from '../../protocol/authorization-server.ts';
import { type AuthorizationServer, defaultPaths, type EndpointPaths } from '../../protocol/authorization-server.ts';
import { createClientDirectory } from '../../protocol/clients/client-directory.ts';
import { defaultFeatures, type Feature, featureNames, legacyFeatures } from '../../protocol/feature.ts';
import { grants } from '../../protocol/grants/index.ts';
import { responseAlgs } from '../../protocol/profile.ts';
import { randomSecret, seededRandom, systemRandom } from '../../protocol/random.ts';
import type { TokenRules } from '../../protocol/token-rule.ts';
import { isHmac, type SigningKey } from '../../protocol/tokens/signing-key.ts';
import { createSigningKeys } from '../../protocol/tokens/signing-keys.ts';
import type { IssuerConfig } from '../config/config.ts';
import { protectedResources } from '../front/sample-backend/protected-resources.ts';
import type { LoadedPreset } from '../presets.ts';

/** Parts of an authorization server that are not in the configuration. */
export interface ServerParts
  extends Pick<
    AuthorizationServer,
    | ('issuer' | 'clock' | 'wallClock' | 'store' | 'usedJwts' | 'users' | 'outbound' | 'strangersOutbound')
    | ('relaxations' | 'tellFailure' | 'tampering')
  > {
  /** Key pairs that are being made already. */
  readonly begunKeys?: ReadonlyMap<string, Promise<SigningKey>>;
  /** Key pairs to start with; they take precedence over a seed and a file. */
  readonly givenKeys?: ReadonlyMap<string, Promise<SigningKey>>;
  /** The issuer identifier, if it is not `issuer`; a dialect has the last word. */
  readonly identifier?: string;
  /** A secret for a purpose, the same for all replicas; absent: a random one. */
  readonly secret?: (purpose: string) => string;
  /** The provider whose wire it speaks, with paths and grants of its own; absent: the usual ones. */
  readonly preset?: Pick<LoadedPreset, 'dialect' | 'paths' | 'grants'>;
  /** Log for events without a request. */
  readonly emit: Emit;
}

/**
 * Creates one issuer from its configuration. It always has a key for ID tokens of clients without a registered
 * algorithm.
 */
export function createServer(
  config: IssuerConfig,
  { begunKeys, givenKeys, identifier, emit, secret, preset, ...parts }: ServerParts,
): AuthorizationServer {
  const { issuer, clock } = parts;
  const { dialect, paths = defaultPaths, grants: more = [] } = preset ?? {};
  const seed = seedOf(config, issuer);
  const secretFor = secret ?? randomSecret;
  const keys = createSigningKeys({
    algs: [
      ...new Set([config.signingAlg, config.clientDefaults.idTokenAlg, ...config.clients.flatMap(responseAlgs)]),
    ].filter(alg => !isHmac(alg)),
    jwks: givenKeys === undefined ? config.keys : [],
    accessAlg: dialect && config.provider?.accessKey ? config.signingAlg : undefined,
    seed: seed ?? secret?.('keys'),
    clock,
    emit,
    // a seed from a file is known only now
    begun: givenKeys ?? (config.seed === undefined && secret === undefined ? begunKeys : undefined),
  });
  const features = featuresOf(config);
  return {
    ...parts,
    dialect,
    iss: dialect?.identifier(issuer) ?? identifier ?? issuer,
    ...backchannelOf(config, issuer),
    paths,
    features,
    profile: config.profile,
    clients: createClientDirectory(config.clients),
    scopes: new Map(config.scopes.map(scope => [scope.name, scope])),
    grants: new Map(
      [...grants.values(), ...more]
        .filter(({ feature }) => feature === undefined || features.has(feature))
        .map(grant => [grant.grantType, grant]),
    ),
    keys,
    tokenRules: configuredRules(config),
    // with an engine, two replicas would make the same codes, and a restarted one those that the engine still has
    random: seed === undefined || secret !== undefined ? systemRandom : seededRandom(seed),
    pairwiseSalt: seed === undefined ? secretFor('pairwise') : `pairwise ${seed}`,
    elapsed,
    fetched: createMemoryStore({ clock: elapsed }),
    signingAlg: config.signingAlg,
    ...liveMembers(config, issuer, secretFor('DPoP nonce'), paths),
  };
}

/** Undefined where nothing adds claims: then a token request loads nothing of this. */
export function configuredRules({
  tokenClaims: templates,
  onToken,
  onTokenTimeout: timeout,
}: Pick<IssuerConfig, 'tokenClaims' | 'onToken' | 'onTokenTimeout'>): TokenRules | undefined {
  return onToken === undefined && templates.length === 0 ? undefined : { templates, timeout, onToken };
}

/** Uses the real clock. */
const elapsed = () => performance.now() / 1000;

/** The members of a server that a configuration reload replaces. `nonceSecret` seeds DPoP nonces. */
export function liveMembers(
  config: IssuerConfig,
  issuer: string,
  nonceSecret: string,
  { userinfo }: EndpointPaths,
): LiveMembers {
  return {
    requireSignedRequests: config.requireSignedRequests,
    assertionAudience: config.assertionAudience,
    unknownResources: config.unknownResources,
    registration: createRegistration(config),
    dropIns: config,
    trustedIssuers: new Map(config.trustedIssuers.map(each => [each.issuer, each])),
    authorizationDetailsTypes: new Map(config.authorizationDetailsTypes.map(type => [type.name, type])),
    acrValues: config.acrValues,
    autoLogin: autoLoginOf(config),
    protectedResources: protectedResources(config, issuer, userinfo),
    dpop: { nonceRequired: config.dpopNonce, secret: nonceSecret },
    scopeClaim: config.scopeClaim,
    pollInterval: config.pollInterval,
    lifetimes: lifetimesOf(config),
  };
}

/** Registration at run time by the rules of the configuration file; loaded with them when somebody first registers. */
function createRegistration(config: IssuerConfig): Registration {
  return {
    mode: config.registration === 'token' ? 'token' : 'open',
    initialAccessToken: config.registrationToken,
    async readClient(metadata, origin) {
      const { readRegisteredClient } = await import('../config/client/read-client.ts');
      return readRegisteredClient(metadata, origin, config.clientDefaults);
    },
  };
}

type LiveMembers = Pick<
  AuthorizationServer,
  | (
      | 'requireSignedRequests'
      | 'assertionAudience'
      | 'unknownResources'
      | 'registration'
      | 'dropIns'
      | 'trustedIssuers'
      | 'authorizationDetailsTypes'
      | 'acrValues'
    )
  | ('autoLogin' | 'protectedResources' | 'dpop' | 'scopeClaim' | 'pollInterval' | 'lifetimes')
>;

/** Each issuer has its own path on the back channel. An address with the issuer's own origin is ignored. */
function backchannelOf({ backchannelUrl }: IssuerConfig, issuer: string): Pick<AuthorizationServer, 'backchannelUrl'> {
  const { origin, pathname } = new URL(issuer);
  if (backchannelUrl === undefined || backchannelUrl === origin) return {};
  return { backchannelUrl: backchannelUrl + pathname.replace(/\/$/, '') };
}

function lifetimesOf(config: IssuerConfig): AuthorizationServer['lifetimes'] {
  return {
    code: config.codeLifetime,
    accessToken: config.clientDefaults.accessTokenLifetime,
    idToken: config.idTokenLifetime,
    refreshToken: config.refreshTokenLifetime,
    session: config.sessionLifetime,
    pushedRequest: config.pushedRequestLifetime,
    deviceCode: config.deviceCodeLifetime,
  };
}

function autoLoginOf({ autoLogin, autoLoginPrompt: prompt }: IssuerConfig): AuthorizationServer['autoLogin'] {
  const byHint = autoLogin === 'hint';
  return { byHint, prompt, ...(autoLogin === undefined || byHint ? {} : { user: autoLogin }) };
}

/**
 * The seed of the keys of an issuer. It differs between the issuers of a sandbox, and does not depend on host and port,
 * which may change between runs.
 */
function seedOf({ seed }: Pick<IssuerConfig, 'seed'>, issuer: string): string | undefined {
  return seed === undefined ? undefined : seed + new URL(issuer).pathname.replace(/\/$/, '');
}

/**
 * Features that are on: all except those OAuth 2.1 has removed, unless a client is registered for one or the preset has
 * it; then the switches of the configuration.
 */
export function featuresOf({
  features: switches,
  registration,
  clients,
  tls,
  profile,
  provider,
}: IssuerConfig): ReadonlySet<Feature> {
  const { features: ofPreset, without = [] } = provider ?? {};
  const grantTypes = new Set([...clients.flatMap(client => client.grant_types), ...(ofPreset ?? [])]);
  const isOn = (name: Feature) => {
    if (name === 'registration' && registration === 'off') return false;
    if (profile === 'fapi2' && legacyFeatures.includes(name)) return false;
    if (name === 'mtls' && tls === undefined) return false;
    return (
      switches[name] ??
      (!without.includes(name) &&
        (defaultFeatures.includes(name) || (legacyFeatures.includes(name) && grantTypes.has(name))))
    );
  };
  return new Set(featureNames.filter(isOn));
}
