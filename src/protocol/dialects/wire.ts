import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { DemandedMode, Dialect, GivenGrant, GrantedAnswer } from '../dialect.ts';
import { invalidRequest } from '../errors.ts';
import { lenientParameter, type RequestParameters } from '../parameters.ts';
import { formatScope, parseScope } from '../scope.ts';
import { loggedInUser } from '../users/user-claims.ts';
import { claimsByRules } from './claim-rules.ts';
import type { DialectData, ResponseForm, ScopeForm } from './dialect-data.ts';
import { proveBySecret } from './secret-jwt.ts';

type Wire = Pick<
  Dialect<AuthorizationServer>,
  | ('secret' | 'writeScopes' | 'knownParameters' | 'readRequest')
  | ('allowsRedirectUri' | 'grant' | 'responseOmits' | 'proveBySecret')
>;

/** The forms of secrets, scopes, authorization requests and their responses. */
export function wireOf(data: DialectData): Wire {
  const { requests, responses, secretJwt } = data;
  return {
    secret: (kind, random) => data.secrets?.[kind]?.(random) ?? random,
    writeScopes: scopes => spokenScopes(data.scopes, scopes),
    knownParameters: requests?.parameters ?? [],
    readRequest: (server, parameters) => readRequest(server, data, parameters),
    ...(requests?.subPaths && { allowsRedirectUri: isBelowRegistered }),
    responseOmits: responses?.omit ?? [],
    ...(responses && { grant: (server, given) => grantBy(server, { ...data, responses }, given) }),
    ...(secretJwt && {
      proveBySecret: async (server, proof) => proveBySecret(server, secretJwt, proof),
    }),
  };
}

type GrantForms = Pick<DialectData, 'options' | 'scopes'> & { readonly responses: ResponseForm };

async function grantBy(
  server: AuthorizationServer,
  { responses, options, scopes: form }: GrantForms,
  { client, authorization, prompt, parameters }: GivenGrant,
): Promise<GrantedAnswer> {
  const { rules, offline, addsEarlierScopes } = responses;
  const parties = [client.client_id, authorization.sub] as const;
  const earlier = await server.store.get<EarlierGrant>(keyOf(parties));
  const known = earlier?.scopes ?? [];
  const isNew = earlier === undefined || authorization.scopes.some(scope => !known.includes(scope));
  const consent = isNew || prompt.includes('consent');
  const all = [...new Set([...authorization.scopes, ...known])];
  const isSent = (name: string, value: string) => lenientParameter(parameters, name) === value;
  const isIncremental = addsEarlierScopes !== undefined && isSent(addsEarlierScopes, 'true');
  const scopes = isIncremental ? all : authorization.scopes;
  await rememberGrant(server, parties, { scopes: all });
  const isOnline = offline !== undefined && !(consent && isSent(offline.parameter, offline.value));
  const context = {
    options,
    user: loggedInUser(server, authorization),
    scope: Object.fromEntries(authorization.scopes.map(scope => [scope, true])),
    scopes: spokenScopes(form, scopes),
    first: earlier === undefined,
    consent,
  };
  return {
    authorization: { ...authorization, scopes, ...(isOnline ? { isOnline } : {}) },
    parameters: textsOf(claimsByRules(rules, context)),
  };
}

function textsOf(members: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

interface EarlierGrant {
  readonly scopes: readonly string[];
}

type Keeper = Pick<AuthorizationServer, 'store'>;
type Parties = readonly [client_id: string, sub: string];

/** Seconds: ten years, because a provider remembers a grant until the user or the client ends it. */
const remembered = 10 * 365 * 24 * 3600;

async function rememberGrant({ store }: Keeper, parties: Parties, grant: EarlierGrant): Promise<void> {
  await store.put(keyOf(parties), grant, remembered);
}

/** The next grant of the user to the client is a first one again. */
export async function forgetGrant({ store }: Keeper, parties: Parties): Promise<void> {
  await store.delete(keyOf(parties));
}

function keyOf(parties: Parties) {
  return ['earlier_grant', JSON.stringify(parties)] as const;
}

/**
 * The parameters of a request with our names of scopes, and with the defaults of the provider. A parameter that was sent
 * twice stays as it is, because the request will be refused.
 * @throws invalid_request for a response mode that the scopes do not allow
 */
function readRequest(
  server: Pick<AuthorizationServer, 'scopes'>,
  { requests = {}, scopes }: Pick<DialectData, 'requests' | 'scopes'>,
  parameters: RequestParameters,
): RequestParameters {
  const { defaults = {}, demandedMode } = requests;
  const missing = Object.entries(defaults).filter(([name]) => !parameters.values.get(name));
  const values = new Map([...parameters.values, ...missing]);
  const scope = ourScopes(server, scopes, values.get('scope'));
  if (scope === undefined) values.delete('scope');
  else values.set('scope', scope);
  if (demandedMode !== undefined) demandMode(demandedMode, parameters, scope);
  return { ...parameters, values };
}

function demandMode(
  { mode, scopes, description }: DemandedMode,
  parameters: RequestParameters,
  scope: string | undefined,
): void {
  const usual = lenientParameter(parameters, 'response_type')?.includes('token') ? 'fragment' : 'query';
  const sent = lenientParameter(parameters, 'response_mode') ?? usual;
  if (sent === mode || !parseScope(scope).some(each => scopes.includes(each))) return;
  throw invalidRequest('response_mode_unsupported', description, { sent, expected: mode });
}

/** The scopes of a request in our names, separated by spaces; undefined for none. */
export function ourScopes(
  { scopes: known }: Pick<AuthorizationServer, 'scopes'>,
  form: ScopeForm | undefined,
  sent: string | undefined,
): string | undefined {
  if (form === undefined) return sent;
  const { names = {}, separator, adds = [], dropsUnknown, drops = [] } = form;
  const text = separator === undefined ? sent : sent?.replaceAll(separator.trim(), ' ');
  const named = parseScope(text).map(scope => (Object.hasOwn(names, scope) ? (names[scope] ?? scope) : scope));
  const kept = named.filter(scope => !drops.includes(scope) && (!dropsUnknown || known.has(scope)));
  const added = adds.filter(rule => rule.with?.some(scope => kept.includes(scope)) ?? true);
  return formatScope([...new Set([...kept, ...added.map(({ scope }) => scope)])]);
}

function spokenScopes(form: ScopeForm | undefined, scopes: readonly string[]): string | undefined {
  const { names = {}, separator = ' ' } = form ?? {};
  const spoken = new Map(Object.entries(names).map(([theirs, ours]) => [ours, theirs]));
  return scopes.length === 0 ? undefined : scopes.map(scope => spoken.get(scope) ?? scope).join(separator);
}

/**
 * True if a URI is a registered one or below it: the same scheme and port, the same host or a subdomain, and the same path
 * or one below it. Such a rule is careless, so only a preset of a provider with this rule uses it.
 */
function isBelowRegistered({ redirect_uris }: Pick<RegisteredClient, 'redirect_uris'>, uri: string): boolean {
  const sent = plainUrl(uri);
  return sent !== undefined && redirect_uris.some(registered => isBelow(sent, registered));
}

function isBelow(sent: URL, registered: string): boolean {
  const url = plainUrl(registered);
  if (url === undefined || url.search !== '') return false;
  const isHost = sent.hostname === url.hostname || sent.hostname.endsWith(`.${url.hostname}`);
  const isPath = sent.pathname === url.pathname || sent.pathname.startsWith(`${url.pathname.replace(/\/$/, '')}/`);
  return sent.protocol === url.protocol && sent.port === url.port && isHost && isPath;
}

/** A web address that every parser reads in the same way: without user, fragment, backslash or dots in the path. */
function plainUrl(uri: string): URL | undefined {
  const form = /^https?:\/\/[\w.-]+(:\d{1,5})?(\/(?!\.{1,2}(\/|$))[\w.~!$&'()*+,;=:@-]*)*(\?[!$-;=?-Z_a-z~%]*)?$/i;
  return form.test(uri) && !/\/\.{1,2}(\/|\?|$)/.test(uri) && URL.canParse(uri) ? new URL(uri) : undefined;
}

/** The parameters with other names. A parameter that was sent by its standard name stays as it is. */
export function renamed(sent: RequestParameters, names: Readonly<Record<string, string>>): RequestParameters {
  const found = Object.entries(names).filter(([theirs]) => sent.values.has(theirs));
  if (found.length === 0) return sent;
  const values = new Map(sent.values);
  for (const [theirs, ours] of found) {
    if (!values.has(ours)) values.set(ours, values.get(theirs) ?? '');
    values.delete(theirs);
  }
  const nameOf = (name: string) => found.find(([theirs]) => theirs === name)?.[1] ?? name;
  const isResource = nameOf('audience') === 'resource';
  return {
    ...sent,
    values,
    repeated: new Set([...sent.repeated].map(nameOf)),
    malformed: new Set([...sent.malformed].map(nameOf)),
    ...(isResource && { resources: [...sent.resources, ...(sent.audiences ?? [])], audiences: [] }),
  };
}
