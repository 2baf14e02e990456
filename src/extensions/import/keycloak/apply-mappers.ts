import { addTo } from '../../../base/text/add-to.ts';
import { listing } from '../../../base/text/words.ts';
import { standardScopes } from '../../../sandbox/config/claims.ts';
import type { JsonValue } from '../../../sandbox/config/json.ts';
import type { Budget } from '../budget.ts';
import { at, tell, textIn } from '../members.ts';
import type { ClientDraft, Drafts, ScopeDraft, UserDraft } from './draft.ts';
import type { Person } from './groups.ts';
import { type Claims, type Mapper, mapperKinds, putClaim, typedValue } from './mapper.ts';

interface Attached {
  readonly mapper: Mapper;
  /** The scope that must be granted; undefined: each token of these clients. */
  readonly scope: ScopeDraft | undefined;
  /** Clients that always have it. */
  readonly clients: readonly ClientDraft[];
  /** Clients that can ask for it. */
  readonly askers: readonly ClientDraft[];
  /** All clients that users log in at always have it. */
  readonly isEvery: boolean;
}

/** Adds the claims and audiences of all mappers, and tells of differences from the realm. */
export function applyMappers(drafts: Drafts, budget: Budget): void {
  for (const each of attachedIn(drafts)) {
    if (each.mapper.kind === 'audience') addAudience(each);
    else addClaim(drafts, each, budget);
  }
}

function attachedIn({ clients, scopes }: Drafts): readonly Attached[] {
  const always = byScope(clients, ({ defaultScopes }) => defaultScopes);
  const asking = byScope(clients, ({ optionalScopes }) => optionalScopes);
  const withUsers = clients.filter(({ hasUsers }) => hasUsers).length;
  const isEvery = (some: readonly ClientDraft[]) => some.filter(({ hasUsers }) => hasUsers).length === withUsers;
  const own = clients.flatMap(client =>
    client.mappers.map(mapper => ({
      mapper,
      scope: undefined,
      clients: [client],
      askers: [],
      isEvery: isEvery([client]),
    })),
  );
  const ofScopes = [...scopes.values()].flatMap(scope => {
    const [having, askers] = [always.get(scope.name) ?? [], asking.get(scope.name) ?? []];
    if (having.length + askers.length === 0) return [];
    if (scope.name === 'microprofile-jwt' && having.length === 0) return tellOptional(scope);
    const isApart = scope.isVisible || having.length === 0;
    const attached = { scope: isApart ? scope : undefined, clients: having, askers, isEvery: isEvery(having) };
    return scope.mappers.map(mapper => ({ mapper, ...attached }));
  });
  return [...own, ...ofScopes];
}

function byScope(clients: readonly ClientDraft[], scopesOf: (client: ClientDraft) => readonly string[]) {
  const found = new Map<string, ClientDraft[]>();
  for (const client of clients) for (const name of scopesOf(client)) addTo(found, name, client);
  return found;
}

/** Each realm has this optional scope, and few applications ask for it. */
function tellOptional({ found }: ScopeDraft): readonly Attached[] {
  tell(found, 'its claims `upn` and `groups` are left out, because no client has it as a default scope');
  return [];
}

function addAudience({ mapper, clients }: Attached): void {
  const { config, found, access } = mapper;
  const audience = config('included.client.audience') ?? config('included.custom.audience');
  if (audience === undefined || !access) return;
  for (const client of clients) client.audience.add(audience);
  if (clients.length === 0)
    tell(found, 'the audience of an optional scope is in no token: add it to `audience` of the client');
}

function addClaim(drafts: Drafts, attached: Attached, budget: Budget): void {
  const { mapper, scope, clients, askers } = attached;
  const { found, claim, kind } = mapper;
  if (claim[0] === '' || !(mapper.access || isShown(mapper))) return;
  const used = kind === 'fixed' ? addFixed(drafts, attached, budget) : addToUsers(drafts, attached, budget);
  if (isShown(mapper) && (!isReserved(claim) || holdsRoles(kind, claim))) release(drafts, scope, claim[0] ?? '');
  if (!used || isOfPreset(attached)) return;
  if (mapper.idToken) for (const { entry } of [...clients, ...askers]) entry.id_token_claims = 'all';
  for (const difference of differences(attached)) tell(found, difference);
}

/** Whether the application sees the claim, in the ID token or at UserInfo. */
function isShown({ idToken, userinfo }: Mapper): boolean {
  return idToken || userinfo;
}

/** The preset makes the roles in access tokens from these claims of a user. */
function isReserved([name = '']: readonly string[]): boolean {
  return name === 'roles' || name === 'client_roles';
}

/** The preset puts some claims into each token by the scopes `profile` and `email`. */
function isOfPreset({ mapper, scope }: Attached): boolean {
  return identity.has(mapper.claim.join('.')) && (scope?.name === 'profile' || scope?.name === 'email');
}

const identity: ReadonlySet<string> = new Set([
  'name',
  'preferred_username',
  'given_name',
  'family_name',
  'email',
  'email_verified',
]);

function release({ openid }: Drafts, scope: ScopeDraft | undefined, claim: string): void {
  const released = scope?.claims ?? openid;
  if (standardScopes[scope?.name ?? 'openid']?.claims.includes(claim) !== true) released.add(claim);
}

/** A claim that is the same in each token. */
function addFixed({ users }: Drafts, { mapper, scope, clients }: Attached, budget: Budget): boolean {
  const { type, claim, found } = mapper;
  const value = typedValue([textIn(at(at(found, 'config'), 'claim.value')) ?? ''], type, false);
  if (value === undefined) {
    tell(found, `left out, because the value is not of the type ${type}`);
    return false;
  }
  const places = scope === undefined ? clients : [scope];
  const put = [
    ...(mapper.access ? places.map(({ access }) => putClaim(access, claim, value)) : []),
    ...(mapper.idToken || mapper.userinfo ? users.map(({ claims }) => putClaim(claims, claim, value)) : []),
  ];
  budget.spend(put.length);
  if (put.includes(false)) tell(found, clash);
  return true;
}

const clash = 'left out where another mapper sets the same claim, or where the claim has no usable name';

/** Looking for a value costs a part of writing one. */
const pairsPerValue = 20;

/** A claim with the value of each user. True if a user has one. */
function addToUsers({ users }: Drafts, attached: Attached, budget: Budget): boolean {
  const { mapper, clients } = attached;
  const isInAccess = mapper.access && !isOfPreset(attached) && clients.length > 0;
  budget.spend(users.length / pairsPerValue);
  let used = false;
  for (const user of users) {
    for (const { path, value, isRole } of valuesOf(mapper, user.person)) {
      used = true;
      budget.spend(Array.isArray(value) ? value.length : 1);
      // the preset puts the roles of a user into `realm_access` and `resource_access` of each access token
      if (isInAccess && !isRole) put(mapper, user.access, path, value);
      if (isShown(mapper)) show(mapper, user, path, value);
    }
  }
  return used;
}

function show(mapper: Mapper, { claims }: UserDraft, path: readonly string[], value: unknown): void {
  const { found, kind } = mapper;
  if (!isReserved(path)) put(mapper, claims, path, value);
  else if (!holdsRoles(kind, path))
    tell(found, `is in access tokens alone, because \`${path[0]}\` of a user holds the roles`);
}

function put({ found }: Mapper, claims: Claims, path: readonly string[], value: unknown): void {
  if (!putClaim(claims, path, value)) tell(found, clash);
}

/** The claim `roles` of a user has these values already. */
function holdsRoles(kind: Mapper['kind'], path: readonly string[]): boolean {
  return kind === mapperKinds['oidc-usermodel-realm-role-mapper'] && path.join('.') === 'roles';
}

/** The differences between the tokens here and in the realm. */
function differences({ mapper, scope, clients, askers, isEvery }: Attached): readonly string[] {
  const { claim, kind, access, idToken, userinfo } = mapper;
  const name = `\`${claim.join('.').slice(0, 100)}\``;
  const own = listing(
    clients.slice(0, 10).map(({ entry }) => entry.client_id),
    'and',
  );
  const isOfUsers = kind !== 'fixed' && !isRolePath(claim);
  const found: string[] = [];
  if (access && isOfUsers && clients.length === 0 && askers.length > 0)
    found.push(`${name} is not in access tokens, because no client has \`${scope?.name}\` as a default scope`);
  if (access && isOfUsers && clients.length > 0 && !isEvery)
    found.push(`${name} is in the access tokens of all clients; in the realm only ${own} has it`);
  if ((idToken || userinfo) && scope === undefined && !isEvery)
    found.push(`${name} is at UserInfo for all clients; in the realm only ${own} has it`);
  if (idToken && !userinfo) found.push(`${name} is at UserInfo, too`);
  if (userinfo && !idToken && clients.some(({ entry }) => entry.id_token_claims === 'all'))
    found.push(`${name} is in ID tokens, too`);
  return found;
}

function isRolePath([first]: readonly string[]): boolean {
  return first === 'realm_access' || first === 'resource_access';
}

interface ClaimValue {
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** The claim of Keycloak that holds roles. */
  readonly isRole: boolean;
}

const placeholder = '${client_id}';

/** The claims of a mapper for a user: none, one, or one for each client that the user has roles in. */
function valuesOf(mapper: Mapper, person: Person): readonly ClaimValue[] {
  const { kind, claim, config, type, isList } = mapper;
  if (kind === 'address') return addressOf(mapper, person);
  if (typeof kind !== 'object') return [];
  if (claim.includes(placeholder) && config('usermodel.clientRoleMapping.clientId') === undefined)
    return [...person.roles.clients].map(([client, names]) => claimOf(mapper, client, [...names]));
  const texts = kind.claim(config)(person);
  if (texts === undefined || texts.length === 0) return [];
  const value = typedValue(texts, type, isList);
  if (value !== undefined) return [claimOf(mapper, config('usermodel.clientRoleMapping.clientId') ?? '', value)];
  tell(mapper.found, `left out for users whose value is not of the type ${type}`);
  return [];
}

function claimOf({ claim }: Mapper, client: string, value: JsonValue): ClaimValue {
  const path = claim.map(part => part.replaceAll(placeholder, client));
  const isRole = claim.join('.') === 'realm_access.roles' || claim.join('.') === `resource_access.${placeholder}.roles`;
  return { path, value, isRole };
}

/** OIDC Core §5.1.1: each member is an attribute that the mapper names. */
function addressOf({ config }: Mapper, { attributes }: Person): readonly ClaimValue[] {
  const members = Object.entries(addressAttributes).flatMap(([member, usual]) => {
    const [value] = attributes.get(config(`user.attribute.${usual}`) ?? usual) ?? [];
    return value === undefined ? [] : [[member, value] as const];
  });
  return members.length === 0 ? [] : [{ path: ['address'], value: Object.fromEntries(members), isRole: false }];
}

const addressAttributes = {
  formatted: 'formatted',
  street_address: 'street',
  locality: 'locality',
  region: 'region',
  postal_code: 'postal_code',
  country: 'country',
};

/** Names of the attributes of users that a mapper reads. */
export function attributesOf({ kind, config }: Mapper): readonly string[] {
  if (kind !== 'address') return [config('user.attribute') ?? ''];
  return Object.values(addressAttributes).map(usual => config(`user.attribute.${usual}`) ?? usual);
}
