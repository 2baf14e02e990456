import { scopeToken } from '../../../protocol/scope.ts';
import type { ClientEntry, GrantType } from '../../../sandbox/config/sandbox-config.ts';
import {
  at,
  type ExportPart,
  flagIn,
  leftOut,
  listIn,
  numberIn,
  recordsIn,
  tell,
  tellLost,
  textIn,
  textsIn,
  valueIn,
} from '../members.ts';
import { addressMembers, type KeptUris, keptUris } from '../redirect-uris.ts';
import { attributePrefixes, attributeUses, clientUses } from './client-uses.ts';
import type { ClientDraft, ScopeDraft } from './draft.ts';
import { readMappers } from './mapper.ts';

/** The clients that each realm has. */
export const builtInClients = [
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
];

/** The parts of an export that all its clients refer to. */
interface ClientPlace {
  readonly scopes: ReadonlyMap<string, ScopeDraft>;
  /** Scopes of clients that name none. */
  readonly defaultScopes: ExportPart;
  readonly optionalScopes: ExportPart;
}

/** Reads `clients` of an export. */
export function readClients(found: ExportPart, place: ClientPlace): readonly ClientDraft[] {
  const all = recordsIn(found);
  // clients with scopes of their own leave them unread
  for (const scopes of [place.defaultScopes, place.optionalScopes]) textsIn(scopes);
  const own = all.filter(each => !isBuiltIn(each));
  if (own.length < all.length) tell(found, `without those that each realm has: ${builtInClients.join(', ')}`);
  return own.flatMap(each => readClient(each, place) ?? []);
}

function isBuiltIn(found: ExportPart): boolean {
  const isOne = builtInClients.includes(textIn(at(found, 'clientId')) ?? '');
  if (isOne) valueIn(found);
  return isOne;
}

function readClient(found: ExportPart, place: ClientPlace): ClientDraft | undefined {
  const problem = problemOf(found);
  if (problem !== undefined) {
    leftOut(found, problem);
    return undefined;
  }
  const client_id = textIn(at(found, 'clientId')) ?? '';
  const attributes = at(found, 'attributes');
  tellLost(found, clientUses, 'a client');
  tellLost(attributes, attributeUses, 'the attributes of a client', attributePrefixes);
  if (flagIn(at(found, 'fullScopeAllowed')) === false)
    tell(at(found, 'fullScopeAllowed'), 'tokens have all roles of the user, not only those in scope');
  const grants = grantsOf(found);
  const isPublic = flagIn(at(found, 'publicClient')) === true;
  if (isPublic && grants.includes('authorization_code') && !isPkceRequired(attributes))
    tell(found, 'a public client must use PKCE here; in the realm it may leave it out');
  const hasUsers = grants.some(grant => grant !== 'client_credentials' && grant !== 'refresh_token');
  const scopes = clientScopes(found, place);
  const entry: ClientEntry = {
    client_id,
    ...nameOf(found, client_id),
    ...credentialsOf(found, client_id),
    grant_types: grants,
    ...redirectMembers(found, grants.includes('authorization_code') || grants.includes('implicit')),
    ...scopes.members,
    ...flagsOf(found, attributes),
  };
  const mappers = readMappers(at(found, 'protocolMappers'));
  return { found, entry, hasUsers, ...scopes, mappers, access: {}, audience: new Set() };
}

function problemOf(found: ExportPart): string | undefined {
  if (textIn(at(found, 'clientId')) === undefined) return 'it has no `clientId`';
  const protocol = textIn(at(found, 'protocol'));
  if (protocol !== undefined && protocol !== 'openid-connect')
    return `the sandbox does not speak ${protocol.slice(0, 40)}`;
  if (flagIn(at(found, 'enabled')) === false) return 'it is disabled';
  if (flagIn(at(found, 'bearerOnly')) === true) return 'a client that is bearer-only never asks for tokens';
  return grantsOf(found).length === 0 ? 'all of its flows are off' : undefined;
}

const grantSwitches: readonly (readonly [grant: GrantType, member: string, usual: boolean])[] = [
  ['authorization_code', 'standardFlowEnabled', true],
  ['implicit', 'implicitFlowEnabled', false],
  ['password', 'directAccessGrantsEnabled', false],
  ['client_credentials', 'serviceAccountsEnabled', false],
];

const grantAttributes: readonly (readonly [grant: GrantType, attribute: string])[] = [
  ['urn:ietf:params:oauth:grant-type:device_code', 'oauth2.device.authorization.grant.enabled'],
  ['urn:openid:params:grant-type:ciba', 'oidc.ciba.grant.enabled'],
  ['urn:ietf:params:oauth:grant-type:token-exchange', 'standard.token.exchange.enabled'],
];

/** Grants that a client without credentials cannot have. */
const confidential: readonly GrantType[] = [
  'client_credentials',
  'urn:openid:params:grant-type:ciba',
  'urn:ietf:params:oauth:grant-type:token-exchange',
];

function grantsOf(found: ExportPart): readonly GrantType[] {
  const attributes = at(found, 'attributes');
  const isPublic = flagIn(at(found, 'publicClient')) === true;
  const switched = grantSwitches.filter(([, member, usual]) => flagIn(at(found, member)) ?? usual);
  const named = grantAttributes.filter(([, attribute]) => flagIn(at(attributes, attribute)) === true);
  const all = [...switched, ...named].map(([grant]) => grant);
  const grants = all.filter(grant => !isPublic || !confidential.includes(grant));
  const refreshes = grants.some(grant => !['client_credentials', 'implicit'].includes(grant));
  const isOff = flagIn(at(attributes, 'use.refresh.tokens')) === false;
  return refreshes && !isOff ? [...grants, 'refresh_token'] : grants;
}

function nameOf(found: ExportPart, client_id: string): Pick<ClientEntry, 'client_name'> {
  const name = textIn(at(found, 'name'));
  return name === undefined || name === client_id ? {} : { client_name: name };
}

function credentialsOf(found: ExportPart, client_id: string): Partial<ClientEntry> {
  if (flagIn(at(found, 'publicClient')) === true) return {};
  const attributes = at(found, 'attributes');
  const type = textIn(at(found, 'clientAuthenticatorType')) ?? 'client-secret';
  const jwks_uri = textIn(at(attributes, 'jwks.url'));
  if (type === 'client-jwt' && jwks_uri !== undefined)
    return { token_endpoint_auth_method: 'private_key_jwt', jwks_uri };
  const method = type === 'client-secret-jwt' ? ({ token_endpoint_auth_method: 'client_secret_jwt' } as const) : {};
  if (!['client-secret', 'client-secret-jwt'].includes(type))
    tell(
      at(found, 'clientAuthenticatorType'),
      'the client got a secret in place of a key or certificate, which the export does not have',
    );
  return { ...method, client_secret: secretOf(found, client_id) };
}

/** A partial export has asterisks in place of secrets. */
function secretOf(found: ExportPart, client_id: string): string {
  const secret = at(found, 'secret');
  const text = textIn(secret);
  if (text !== undefined && !/^\*+$/.test(text)) return text;
  tell(secret, 'the export has no secret: `client_secret` is the name of the client with `-secret`');
  return `${client_id}-secret`;
}

function flagsOf(found: ExportPart, attributes: ExportPart): Partial<ClientEntry> {
  const isPublic = flagIn(at(found, 'publicClient')) === true;
  const isOn = (name: string) => flagIn(at(attributes, name)) === true;
  const lifetime = numberIn(at(attributes, 'access.token.lifespan'));
  const back = textIn(at(attributes, 'backchannel.logout.url'));
  const front = textIn(at(attributes, 'frontchannel.logout.url'));
  const isFront = flagIn(at(found, 'frontchannelLogout')) === true && front !== undefined;
  return {
    ...(flagIn(at(found, 'consentRequired')) === true && { require_consent: true }),
    ...(!isPublic && isPkceRequired(attributes) && { require_pkce: true }),
    ...(lifetime !== undefined && lifetime > 0 && { access_token_lifetime: lifetime, id_token_lifetime: lifetime }),
    ...(back !== undefined && { backchannel_logout_uri: back }),
    ...(back !== undefined &&
      isOn('backchannel.logout.session.required') && { backchannel_logout_session_required: true }),
    ...(isFront && { frontchannel_logout_uri: front }),
    ...(isFront && isOn('frontchannel.logout.session.required') && { frontchannel_logout_session_required: true }),
    ...(isOn('dpop.bound.access.tokens') && { dpop_bound_access_tokens: true }),
    ...(isOn('require.pushed.authorization.requests') && { require_pushed_authorization_requests: true }),
    ...algorithm('id_token_signed_response_alg', at(attributes, 'id.token.signed.response.alg'), 'RS256'),
    ...algorithm('userinfo_signed_response_alg', at(attributes, 'user.info.response.signature.alg'), 'unsigned'),
  };
}

function isPkceRequired(attributes: ExportPart): boolean {
  const method = at(attributes, 'pkce.code.challenge.method');
  const text = textIn(method);
  if (text === 'plain') tell(method, 'PKCE with `plain` is refused: `S256` is required');
  return text !== undefined;
}

/** Whether it is an algorithm is checked with the whole entry. */
function algorithm(member: keyof ClientEntry, found: ExportPart, usual: string): Partial<ClientEntry> {
  const text = textIn(found) ?? usual;
  return text === usual || text === 'any' ? {} : { [member]: text };
}

/** The scopes of a client. Those that tokens do not name are not scopes here, but parts of the client. */
function clientScopes(found: ExportPart, { scopes, defaultScopes, optionalScopes }: ClientPlace) {
  const own = (name: string, usual: ExportPart) => (at(found, name).value === undefined ? usual : at(found, name));
  const always = textsIn(own('defaultClientScopes', defaultScopes));
  const asked = textsIn(own('optionalClientScopes', optionalScopes));
  const isVisible = (name: string) => scopeToken.test(name) && (scopes.get(name)?.isVisible ?? !hidden.has(name));
  const fromDefault = always.filter(isVisible);
  const isKnown = always.length + asked.length > 0;
  const isUsual = fromDefault.toSorted().join(' ') === 'email profile';
  const members: Pick<ClientEntry, 'scope' | 'default_scope'> = isKnown
    ? {
        scope: [...new Set(['openid', ...fromDefault, ...asked.filter(name => scopeToken.test(name))])].join(' '),
        ...(!isUsual && { default_scope: fromDefault.join(' ') }),
      }
    : {};
  return { defaultScopes: always, optionalScopes: asked, members };
}

/** Scopes of each realm that tokens do not name. */
export const hidden: ReadonlySet<string> = new Set([
  'web-origins',
  'acr',
  'roles',
  'basic',
  'service_account',
  'saml_organization',
  'role_list',
]);

type RedirectMembers = ReturnType<typeof addressMembers> & Pick<ClientEntry, 'client_uri'>;

/** Addresses of a client of a realm. */
function redirectMembers(found: ExportPart, isNeeded: boolean): RedirectMembers {
  const root = absolute(at(found, 'rootUrl')) ?? absolute(at(found, 'baseUrl'));
  const base = textIn(at(found, 'baseUrl'));
  const place = at(found, 'redirectUris');
  const login = keptUris(listIn(place), root);
  const logout = logoutUris(found, login, root);
  return {
    ...addressMembers({ login, logout, origins: webOrigins(at(found, 'webOrigins')) }, { place, isNeeded }),
    ...(base !== undefined && /^https?:/i.test(base) && { client_uri: base }),
  };
}

function absolute(found: ExportPart): string | undefined {
  const text = textIn(found);
  return text !== undefined && URL.canParse(text) ? text.replace(/\/$/, '') : undefined;
}

/** In one text, separated by `##`. A `+` stands for the redirect URIs. */
function logoutUris(found: ExportPart, login: KeptUris, root: string | undefined): KeptUris {
  const attribute = at(at(found, 'attributes'), 'post.logout.redirect.uris');
  const parts = (textIn(attribute) ?? '').split('##').filter(part => part !== '' && part !== '-');
  const own = keptUris(
    parts.filter(part => part !== '+').map(value => ({ ...attribute, value })),
    root,
  );
  if (!parts.includes('+')) return own;
  return {
    uris: [...new Set([...login.uris, ...own.uris])],
    patterns: [...new Set([...login.patterns, ...own.patterns])],
    isLoopback: own.isLoopback,
  };
}

/** Origins besides those of the redirect URIs, for which a `+` stands. */
function webOrigins(found: ExportPart): readonly string[] {
  const texts = textsIn(found);
  if (texts.includes('*'))
    tell(found, 'a `*` cannot be kept: list other origins than those of this machine in `web_origins`');
  return texts.filter(text => text !== '+' && text !== '*');
}
