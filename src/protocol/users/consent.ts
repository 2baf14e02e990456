import { hash } from 'node:crypto';
import { updateEntry } from '../../base/store.ts';
import type { AuthorizationDetail } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { isStranger, type RegisteredClient } from '../clients/client.ts';
import { OAuthError } from '../errors.ts';
import { isSameJson } from '../json-parameter.ts';
import type { RequestParameters } from '../parameters.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import { narrowClaims, personalClaims } from '../requests/claims-parameter.ts';
import type { ScopeDefinition } from '../scope.ts';
import { wasAsked } from './asked-login.ts';
import type { Session } from './session.ts';

/** Items a user is asked to allow, or has allowed. */
export interface ConsentItems {
  readonly scopes: readonly string[];
  /** Requested one by one (OIDC Core §5.5). */
  readonly claims: readonly string[];
  readonly details: readonly AuthorizationDetail[];
}

const nothing: ConsentItems = { scopes: [], claims: [], details: [] };

type Known = { readonly scopes: ReadonlyMap<string, ScopeDefinition> };

/** Requested items, each once: a claim that a requested scope releases is covered by the scope. */
export function consentItems(
  server: Known,
  { scopes, claims, authorization_details }: AuthorizationRequest,
): ConsentItems {
  const released = releasedClaims(server, scopes);
  return {
    scopes,
    claims: claims === undefined ? [] : personalClaims(claims).filter(name => !released.includes(name)),
    details: authorization_details ?? [],
  };
}

function releasedClaims({ scopes: known }: Known, scopes: readonly string[]): readonly string[] {
  return scopes.flatMap(name => known.get(name)?.claims ?? []);
}

interface ConsentContext {
  readonly client: RegisteredClient;
  readonly session: Session;
  readonly browserId?: string;
  readonly parameters: RequestParameters;
}

/**
 * The request reduced to what the user allows; undefined if the user must be asked first.
 * @throws consent_required if the user must not be asked (OIDC Core §3.1.2.6)
 */
export async function settleConsent(
  server: AuthorizationServer,
  context: ConsentContext,
  asked: AuthorizationRequest,
): Promise<GrantedRequest | undefined> {
  const decided = await server.store.take<ConsentItems>(decisionKey(context.session, asked));
  if (decided !== undefined) return narrowRequest(server, asked, decided);
  await rememberLogin(server, context, asked);
  if (!asked.prompt.includes('consent') && (await isCovered(server, context, asked))) return asked;
  if (!asked.prompt.includes('none')) return undefined;
  const description = 'prompt=none, but the user has not yet consented to everything requested';
  throw new OAuthError('consent_required', 'consent_required', description, {
    sent: 'prompt=none',
    expected: 'an earlier consent to all requested access',
  });
}

/** Details, and clients that nobody configured, always need consent; scopes of others only with `require_consent`. */
async function isCovered(
  server: AuthorizationServer,
  context: ConsentContext,
  asked: AuthorizationRequest,
): Promise<boolean> {
  const wanted = consentItems(server, asked);
  const known = await rememberedConsent(server, context);
  const isAllowed = wanted.details.every(detail => known.details.some(each => isSameJson(each, detail)));
  if (!context.client.require_consent && !isStranger(context.client)) return isAllowed;
  return (
    isAllowed &&
    wanted.scopes.every(scope => known.scopes.includes(scope)) &&
    wanted.claims.every(claim => known.claims.includes(claim))
  );
}

/** The request reduced to the allowed items. `openid` is always kept, because the response is built on it. */
export function narrowRequest(server: Known, asked: AuthorizationRequest, allowed: ConsentItems): GrantedRequest {
  const isAllowed = (scope: string) => scope === 'openid' || allowed.scopes.includes(scope);
  const { authorization_details: _, ...others } = asked;
  const details = (asked.authorization_details ?? []).filter(detail =>
    allowed.details.some(each => isSameJson(each, detail)),
  );
  const scopes = asked.scopes.filter(isAllowed);
  const claims = [...allowed.claims, ...releasedClaims(server, scopes)];
  return {
    ...others,
    scopes,
    declined: asked.scopes.filter(scope => !isAllowed(scope)),
    ...(asked.claims === undefined ? {} : { claims: narrowClaims(asked.claims, claims) }),
    ...(details.length === 0 ? {} : { authorization_details: details }),
  };
}

/** Seconds that an answer on the consent screen waits for the browser to come back. */
const decisionLifetime = 120;

/** Keeps an answer for one request in one session. */
export function putDecision(
  server: AuthorizationServer,
  session: Session,
  asked: AuthorizationRequest,
  allowed: ConsentItems,
): Promise<void> {
  return server.store.put(decisionKey(session, asked), allowed, decisionLifetime);
}

function decisionKey({ id }: Session, { prompt: _, ...asked }: AuthorizationRequest) {
  return ['consent_decision', digest(id, asked)] as const;
}

async function rememberedConsent(
  server: AuthorizationServer,
  { client, session, browserId }: Omit<ConsentContext, 'parameters'>,
): Promise<ConsentItems> {
  const holders = browserId === undefined ? [session.id] : [session.id, browserId];
  const found = await Promise.all(
    holders.map(holder => server.store.get<ConsentItems>(consentKey(holder, session.sub, client))),
  );
  return found.reduce<ConsentItems>((all, each) => union(all, each ?? nothing), nothing);
}

const rememberedFor = 30 * 24 * 3600;

/** Adds to the consents that a browser remembers. */
export async function rememberForBrowser(
  server: AuthorizationServer,
  { client, session }: Pick<ConsentContext, 'client' | 'session'>,
  browserId: string,
  allowed: ConsentItems,
): Promise<void> {
  const key = consentKey(browserId, session.sub, client);
  await updateEntry<ConsentItems>(server.store, key, rememberedFor, (known = nothing) => union(known, allowed));
}

/**
 * A client that nobody configured must be shown to the user before its first answer: on the sign-in page or, if there is
 * a session already, on the consent screen. The sign-in page shows the scopes, so they count as allowed for the session.
 */
async function rememberLogin(
  server: AuthorizationServer,
  { client, session, parameters }: ConsentContext,
  { scopes }: AuthorizationRequest,
): Promise<void> {
  if (!isStranger(client) || client.require_consent) return;
  if (!(await wasAsked(server, session, parameters))) return;
  const key = consentKey(session.id, session.sub, client);
  const shown = { ...nothing, scopes };
  await updateEntry<ConsentItems>(server.store, key, server.lifetimes.session, (known = nothing) =>
    union(known, shown),
  );
}

function consentKey(holder: string, sub: string, { client_id }: RegisteredClient) {
  return ['consent', digest(holder, sub, client_id)] as const;
}

/** Ids of sessions and browsers are secrets in cookies, so the store gets only their hash. */
function digest(...parts: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

function union(a: ConsentItems, b: ConsentItems): ConsentItems {
  return {
    scopes: [...new Set([...a.scopes, ...b.scopes])],
    claims: [...new Set([...a.claims, ...b.claims])],
    details: [...a.details, ...b.details.filter(detail => !a.details.some(each => isSameJson(each, detail)))],
  };
}

/** A request reduced to what the user allows. */
export interface GrantedRequest extends AuthorizationRequest {
  /** Requested scopes that the user did not allow. */
  readonly declined?: readonly string[];
}

/** True if consent may be needed. */
export function mayNeedConsent(
  client: RegisteredClient,
  { prompt, authorization_details }: AuthorizationRequest,
): boolean {
  return (
    client.require_consent || isStranger(client) || prompt.includes('consent') || authorization_details !== undefined
  );
}
