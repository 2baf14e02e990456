import type { IncomingMessage } from 'node:http';
import { type CryptoKey, importJWK } from 'jose';
import { defined } from '../../../base/defined.ts';
import type { ErrorReturned } from '../../../base/events/event.ts';
import type { IssuedEvent } from '../../../base/events/event-log.ts';
import type { TokenUsed } from '../../../base/events/token-events.ts';
import { type AuthorizationServer, addressesOf } from '../../../protocol/authorization-server.ts';
import type { KnownApis } from '../../../protocol/judge-claims.ts';
import { isEnded } from '../../../protocol/kept-authorizations.ts';
import { asymmetricAlgs } from '../../../protocol/profile.ts';
import { currentNonce, isFreshNonce } from '../../../protocol/proofs/dpop.ts';
import { isAskedFor } from '../../../protocol/protected-resource.ts';
import { configuredResources } from '../../../protocol/requests/requested-access.ts';
import { parseTokenIdentifier } from '../../../protocol/tokens/access-token.ts';
import type { FoundToken } from '../../../protocol/tokens/find-token.ts';
import type { ApiReason } from '../../../record/problems/known.ts';
import type { AppOptions } from '../../../server/http/app.ts';
import { contextOf } from '../../../server/http/request-context.ts';
import type { AccessTokenOptions } from '../../../server/resources/access-token.ts';
import { type AudienceOptions, isForResource } from '../../../server/resources/audience.ts';
import type { DpopOptions } from '../../../server/resources/dpop.ts';
import {
  type Claims,
  createResourceServer,
  type Refusal,
  type ResourceServerOptions,
} from '../../../server/resources/index.ts';
import type { Issuer } from '../../extension.ts';
import { metadataUrlOf, resourcesOf } from './protected-resources.ts';

/** The parts of an issuer that its sample backend works with. */
export interface SampleBackendParts extends Pick<Issuer, 'server' | 'events' | 'collections' | 'explanationOf'> {
  readonly clock: Pick<Issuer['clock'], 'api'>;
  readonly state: Pick<Issuer['state'], 'rows'>;
  readonly sandbox: Pick<Issuer['sandbox'], 'log'>;
  readonly config: Pick<Issuer['config'], 'apiAudience' | 'apiClockSkew' | 'apiTokenCheck'>;
}

/** The resource server of this issuer; it is created again when the configuration changes it. */
export interface SampleBackend {
  router: AppOptions['api'];
  reset(): Promise<void>;
  /** The number of created rows in the fullest collection. */
  createdRows(): Promise<number>;
  /** Follows the current configuration. Rows are kept if possible. */
  reconfigure(): void;
}

export function createSampleBackend(issuer: SampleBackendParts): SampleBackend {
  let current = createResourceServer(optionsOf(issuer));
  return {
    router: (...request) => current.router(...request),
    reset: () => current.reset(),
    async createdRows() {
      return Math.max(0, ...(await Promise.all(current.collections.map(({ rows }) => rows.created()))));
    },
    reconfigure() {
      current = createResourceServer(optionsOf(issuer), current);
    },
  };
}

/** The only parts of the issuer that the sample backend uses. */
export function optionsOf(issuer: SampleBackendParts): ResourceServerOptions {
  const { config, server, clock, state, sandbox } = issuer;
  return {
    issuer: server.iss,
    ...audienceOf(issuer),
    identifiers: name => identifiersOf(server, name),
    ...(server.features.has('protected-resource-metadata')
      ? { resourceMetadata: (name: string) => metadataUrlOf(server.issuer, name) }
      : {}),
    ...keysOf(server),
    ...formOf(server),
    clock: () => Math.floor(clock.api()),
    clockSkew: config.apiClockSkew,
    ...(server.features.has('dpop') ? { dpop: dpopOf(server) } : {}),
    ...(config.apiTokenCheck === 'introspection' ? createIntrospection(server) : {}),
    isEnded: ({ jti }: Claims) => isEnded(server, parseTokenIdentifier(String(jti)).tokenId),
    collections: issuer.collections.all,
    rows: state.rows,
    onError: error => sandbox.log.error(error, 'api'),
    ...createApiEvents(issuer),
    help: request => issuer.explanationOf(contextOf(request).id),
  };
}

/** The checks that the sample backend makes of a token. */
export interface ApiRules extends KnownApis {
  /** One of these must be in `aud`. Empty: `aud` is compared only if the request had a `resource`. */
  readonly audience: readonly string[];
  /** `local` verifies the signature and does not notice revocations. */
  readonly tokenCheck: 'local' | 'introspection';
}

/** The rules of the sample backend for tokens, for explanations. */
export function apiRulesOf(issuer: Rules): ApiRules {
  const { config, server } = issuer;
  return {
    audience: config.apiAudience,
    get tokenCheck() {
      return config.apiTokenCheck;
    },
    fits(claims, collection) {
      const names = collection === undefined ? issuer.collections.all.map(({ name }) => name) : [collection];
      const identifiers = names.flatMap(name => identifiersOf(server, name));
      return hasAudience(claims, server) && isForResource(withClient(claims), audienceOf(issuer), identifiers);
    },
    isConfigured: identifier => configuredResources(server).includes(identifier),
  };
}

type Rules = Pick<SampleBackendParts, 'config' | 'server' | 'collections'>;

/** A provider leaves `aud` out of some access tokens; the sample backend then knows it from the issuer. */
function hasAudience({ aud }: Claims, { dialect }: AuthorizationServer): boolean {
  return aud !== undefined || dialect !== undefined;
}

/** The client under the name that RFC 9068 gives it, and not a provider. */
function withClient(claims: Claims): Claims {
  return { client_id: claims.azp ?? claims.cid ?? claims.appid, ...claims };
}

function audienceOf({ config, server }: Pick<Rules, 'config' | 'server'>): Required<AudienceOptions> {
  return { audience: config.apiAudience, isAskedFor: claims => isAskedFor(server.clients, claims) };
}

function identifiersOf(server: AuthorizationServer, collection: string): string[] {
  return addressesOf(server, '').flatMap(address => resourcesOf(address, collection));
}

function keysOf(server: AuthorizationServer): Pick<ResourceServerOptions, 'keys' | 'kids'> {
  return { keys: createKeyResolver(server), kids: async () => (await server.keys.jwks()).keys.map(({ kid }) => kid) };
}

/** The form of access tokens where a preset has one of its own. */
function formOf(server: AuthorizationServer): Pick<ResourceServerOptions, 'form'> {
  const { dialect } = server;
  if (dialect === undefined) return {};
  return { form: { typ: dialect.accessTokenType, claimsOf: token => dialect.ownClaims(server, token) } };
}

/** The sample backend takes proofs by the same rules as UserInfo, and nonces from the same source. */
function dpopOf(server: AuthorizationServer): DpopOptions {
  const nonce = {
    current: () => currentNonce(server),
    isFresh: (sent: string) => isFreshNonce(server, sent),
  };
  return {
    origins: addressesOf(server, '').map(address => new URL(address).origin),
    algorithms: asymmetricAlgs(server),
    wallClock: server.wallClock,
    ...(server.dpop.nonceRequired ? { nonce } : {}),
  };
}

/** Gives the sample backend the introspection response of a token without a request over HTTP. */
function createIntrospection(
  server: AuthorizationServer,
): Required<Pick<AccessTokenOptions, 'introspect' | 'whyInactive'>> {
  const find = async (token: string): Promise<FoundToken | undefined> => {
    const { findToken } = await import('../../../protocol/tokens/find-token.ts');
    return findToken(server, token, 'access_token');
  };
  return {
    async introspect(token) {
      const found = await find(token);
      return found?.type === 'access_token' && found.state === 'active' ? found.claims : undefined;
    },
    async whyInactive(token) {
      const found = await find(token);
      if (found === undefined) return undefined;
      const { type, state, claims } = found;
      return { state: type === 'access_token' ? state.replaceAll('_', ' ') : 'a refresh token', claims };
    },
  };
}

/**
 * Gives the sample backend the keys of our JWK Set, by `kid`, exactly as published. They are in this process, so
 * nothing is fetched.
 */
function createKeyResolver({
  keys,
}: AuthorizationServer): (header: { kid?: string }) => Promise<CryptoKey | undefined> {
  const imported = new Map<string, Promise<CryptoKey>>();
  let revision = '';

  async function resolve(kid: string): Promise<CryptoKey | undefined> {
    const jwk = (await keys.jwks()).keys.find(key => key.kid === kid);
    if (jwk === undefined) return undefined;
    const key = importJWK({ ...jwk }, jwk.alg) as Promise<CryptoKey>;
    imported.set(kid, key);
    return key;
  }

  return async ({ kid }) => {
    const published = keys.revision();
    if (published !== revision) imported.clear(); // keys that are no longer published are no longer trusted
    revision = published;
    return kid === undefined ? undefined : (imported.get(kid) ?? resolve(kid));
  };
}

type Log = Pick<Issuer, 'events' | 'server'>;

/** Logs the decisions of the sample backend: refusals with their reasons, and accepted tokens. */
function createApiEvents(log: Log): Required<Pick<ResourceServerOptions, 'onRefused' | 'onAccepted'>> {
  return {
    onRefused(request, refusal) {
      contextOf(request).emit(refused(log, request, refusal));
    },
    onAccepted(request, claims) {
      contextOf(request).emit(used(log, claims));
    },
  };
}

function refused(log: Log, request: IncomingMessage, refusal: Refusal): ErrorReturned {
  const { status, detail, error, sent, expected, claims } = refusal;
  const reason: ApiReason = `api_${refusal.reason}`;
  return {
    type: 'error.returned',
    endpoint: 'api',
    form: error !== undefined || status === 401 ? 'challenge' : 'problem',
    status,
    error: error ?? codeOf(status),
    reason,
    description: detail,
    ...defined({ sent, expected }),
    ...(tokenIn(claims) ?? tokenOf(sentToken(log, request))),
    ...clientIn(log, claims),
  };
}

/** Refusals without an OAuth code get the nearest one. */
function codeOf(status: Refusal['status']): string {
  if (status === 401) return 'invalid_token';
  return status === 500 ? 'server_error' : 'invalid_request';
}

type About = Pick<ErrorReturned, 'about' | 'authorizationId' | 'client_id'>;

function tokenIn(claims: Claims | undefined): About | undefined {
  if (typeof claims?.jti !== 'string' || !claims.jti.includes('.')) return undefined; // as in a logout token
  const { tokenId, authorizationId } = parseTokenIdentifier(claims.jti);
  return { about: tokenId, authorizationId };
}

function tokenOf(issued: IssuedEvent | undefined): About {
  if (issued === undefined) return {};
  return { about: issued.tokenId, authorizationId: issued.authorizationId, client_id: issued.client_id };
}

/** An ID token names its client in `aud` only. */
function clientIn({ server }: Log, { client_id, aud }: Claims = {}): Pick<About, 'client_id'> {
  if (typeof client_id === 'string') return { client_id };
  return typeof aud === 'string' && server.clients.has(aud) ? { client_id: aud } : {};
}

const shortest = 20;

/**
 * Finds the credential of ours that was sent in place of an access token (ID token, refresh token, code or opaque
 * token).
 */
function sentToken({ events }: Log, { headers: { authorization = '' } }: IncomingMessage): IssuedEvent | undefined {
  const sent = authorization.trim().split(/\s+/).at(-1) ?? '';
  return sent.length < shortest ? undefined : events.issuedAs(sent);
}

function userOf(sub: unknown, { users }: Log['server']): string | undefined {
  return typeof sub === 'string' && users.has(sub) ? sub : undefined;
}

function used({ events, server }: Log, { jti, client_id, sub }: Claims): TokenUsed {
  const ids = parseTokenIdentifier(String(jti));
  // only the log can map a pairwise sub to its user
  const known = events.issued(ids.tokenId) ?? { ...ids, sub: userOf(sub, server) };
  return {
    type: 'token.used',
    endpoint: 'api',
    tokenId: known.tokenId,
    authorizationId: known.authorizationId,
    client_id: String(client_id),
    ...defined({ sub: known.sub }),
  };
}
