import { isRecord } from '../../../base/text/record.ts';
import type { JsonValue } from '../../../sandbox/config/json.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  lose,
  reads,
  recordsIn,
  tellLost,
  textIn,
  type UseTable,
  valueIn,
} from '../members.ts';
import { fullName, type Person, withParents } from './groups.ts';

/** A protocol mapper of a client or of a client scope. */
export interface Mapper {
  readonly found: ExportPart;
  readonly kind: Exclude<MapperKind, 'preset' | 'note' | { readonly lost: string }>;
  readonly config: MapperConfig;
  readonly claim: readonly string[];
  /** `jsonType.label` */
  readonly type: string | undefined;
  readonly isList: boolean;
  /** Where the claim is. */
  readonly access: boolean;
  readonly idToken: boolean;
  readonly userinfo: boolean;
}

const mapperUses: UseTable = {
  ...reads('protocol protocolMapper config'),
  ...ignores('id name consentRequired consentText'),
};

const configUses: UseTable = {
  ...reads('user.attribute claim.name claim.value jsonType.label multivalued aggregate.attrs full.path'),
  ...reads('access.token.claim id.token.claim userinfo.token.claim included.client.audience included.custom.audience'),
  ...reads('usermodel.realmRoleMapping.rolePrefix usermodel.clientRoleMapping.clientId'),
  ...reads('usermodel.clientRoleMapping.rolePrefix user.attribute.formatted user.attribute.street'),
  ...reads('user.attribute.locality user.attribute.region user.attribute.postal_code user.attribute.country'),
  ...ignores('introspection.token.claim lightweight.claim'),
  'access.tokenResponse.claim': { lost: 'token responses have no claims' },
};

/** Notes of a session that the preset or the protocol brings by itself. */
const knownNotes = ['AUTH_TIME', 'clientId', 'client_id', 'clientHost', 'clientAddress', 'acr'];

/** Reads `protocolMappers`, and tells of those that do nothing here. */
export function readMappers(found: ExportPart): readonly Mapper[] {
  return recordsIn(found).flatMap(each => {
    tellLost(each, mapperUses, 'a mapper');
    const name = textIn(at(each, 'protocolMapper')) ?? '';
    const kind = Object.hasOwn(mapperKinds, name) ? mapperKinds[name] : undefined;
    const config = configOf(at(each, 'config'));
    const lost = lostBy(kind, config, name);
    if (lost !== undefined) lose(each, lost);
    if (kind === undefined || kind === 'preset' || kind === 'note' || isLost(kind)) {
      valueIn(each);
      return [];
    }
    tellLost(at(each, 'config'), configUses, 'a mapper');
    return [mapperOf(each, kind, config)];
  });
}

function lostBy(kind: MapperKind | undefined, config: MapperConfig, name: string): string | undefined {
  if (kind === undefined) return `mappers of the kind ${JSON.stringify(name.slice(0, 80))} are not known`;
  if (kind === 'note')
    return knownNotes.includes(config('user.session.note') ?? '') ? undefined : 'notes of a session are in no token';
  return isLost(kind) ? kind.lost : undefined;
}

function isLost(kind: MapperKind): kind is { readonly lost: string } {
  return typeof kind === 'object' && 'lost' in kind;
}

function mapperOf(found: ExportPart, kind: Mapper['kind'], config: MapperConfig): Mapper {
  const fallback = typeof kind === 'object' ? kind : undefined;
  const isOn = (name: string, otherwise: boolean) => flagIn({ ...at(at(found, 'config'), name) }) ?? otherwise;
  const idToken = isOn('id.token.claim', false);
  return {
    found,
    kind,
    config,
    claim: claimPath(fallback?.name ?? (kind === 'address' ? 'address' : (config('claim.name') ?? ''))),
    type: config('jsonType.label'),
    isList: config('multivalued') === 'true' || (config('multivalued') === undefined && fallback?.isList === true),
    // older exports have no switch for the audience
    access: isOn('access.token.claim', kind === 'audience'),
    idToken,
    userinfo: isOn('userinfo.token.claim', idToken),
  };
}

function configOf(found: ExportPart): MapperConfig {
  return name => {
    const value = valueIn(at(found, name));
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
}

/** The configuration of a mapper: all values are texts. */
type MapperConfig = (name: string) => string | undefined;

/** The value of a claim for a user, before its type is applied; undefined if the user has none. */
type ClaimSource = (person: Person) => readonly string[] | undefined;

/**
 * A kind of mapper. `claim`: a claim from a user. `fixed`: the same claim in each token. `audience`: a value of `aud`.
 * `preset`: the preset does this by itself. A text says what the sandbox lacks.
 */
type MapperKind =
  | { readonly claim: (config: MapperConfig) => ClaimSource; readonly name?: string; readonly isList?: true }
  | 'fixed'
  | 'audience'
  | 'address'
  | 'note'
  | 'preset'
  | { readonly lost: string };

/** Kinds of mappers by `protocolMapper`. */
export const mapperKinds: Readonly<Record<string, MapperKind>> = {
  'oidc-usermodel-attribute-mapper': { claim: attribute },
  'oidc-usermodel-property-mapper': {
    claim: config => person => one(property(person, config('user.attribute') ?? '')),
  },
  'oidc-full-name-mapper': { claim: () => person => one(fullName(person)), name: 'name' },
  'oidc-usermodel-realm-role-mapper': { claim: realmRoles, isList: true },
  'oidc-usermodel-client-role-mapper': { claim: clientRoles, isList: true },
  'oidc-group-membership-mapper': { claim: groups, isList: true },
  'oidc-hardcoded-claim-mapper': 'fixed',
  'oidc-audience-mapper': 'audience',
  'oidc-address-mapper': 'address',
  'oidc-usersessionmodel-note-mapper': 'note',
  'oidc-audience-resolve-mapper': 'preset',
  'oidc-allowed-origins-mapper': 'preset',
  'oidc-acr-mapper': 'preset',
  'oidc-amr-mapper': 'preset',
  'oidc-sub-mapper': 'preset',
  'oidc-nonce-backwards-compatible-mapper': { lost: 'the nonce is in ID tokens alone' },
  'oidc-hardcoded-role-mapper': { lost: 'roles that a mapper adds are not in tokens: give them to the users' },
  'oidc-role-name-mapper': { lost: 'roles are not renamed: rename them in `roles` and `client_roles` of the users' },
  'oidc-sha256-pairwise-sub-mapper': {
    lost: "`subject_type: 'pairwise'` of the client does the same, with other values; not switched on",
  },
  'oidc-organization-membership-mapper': { lost: 'the sandbox has no organizations' },
  'oidc-claims-param-token-mapper': { lost: 'the claims parameter works without it' },
  'oidc-script-based-protocol-mapper': { lost: 'scripts are not run' },
};

const one = (value: string | undefined) => (value === undefined ? undefined : [value]);
const some = (values: readonly string[]) => (values.length === 0 ? undefined : values);

/** The value of the user, else that of the nearest group. Some properties are attributes, too. */
function attribute(config: MapperConfig): ClaimSource {
  const name = config('user.attribute') ?? '';
  const isAggregate = config('aggregate.attrs') === 'true';
  return person => {
    const own = person.attributes.get(name) ?? one(property(person, name)) ?? [];
    if (own.length > 0 && !isAggregate) return own;
    const lines = person.groups.map(group =>
      withParents(group).flatMap(each => [...(each.attributes.get(name) ?? [])]),
    );
    return some(isAggregate ? [...new Set([...own, ...lines.flat()])] : (lines.find(line => line.length > 0) ?? []));
  };
}

function property(person: Person, name: string): string | undefined {
  switch (name) {
    case 'username':
    case 'email':
    case 'firstName':
    case 'lastName':
    case 'id':
      return person[name];
    case 'emailVerified':
      return String(person.emailVerified);
    default:
      return undefined;
  }
}

function realmRoles(config: MapperConfig): ClaimSource {
  const prefix = config('usermodel.realmRoleMapping.rolePrefix') ?? '';
  return ({ roles }) => some([...roles.realm].map(name => prefix + name));
}

function clientRoles(config: MapperConfig): ClaimSource {
  const client = config('usermodel.clientRoleMapping.clientId');
  const prefix = config('usermodel.clientRoleMapping.rolePrefix') ?? '';
  return ({ roles }) => {
    const sets = client === undefined ? [...roles.clients.values()] : [roles.clients.get(client) ?? []];
    return some([...new Set(sets.flatMap(names => [...names]))].map(name => prefix + name));
  };
}

function groups(config: MapperConfig): ClaimSource {
  const isFull = config('full.path') !== 'false';
  return person => some(person.groups.map(({ path, name }) => (isFull ? path : name)));
}

/** Levels of an object in a claim. */
const deepest = 10;

/** Claims that are being put together. */
export type Claims = Record<string, unknown>;

/** The names in a `claim.name`: a dot nests, `\.` is a dot. */
function claimPath(name: string): readonly string[] {
  return name.split(/(?<!\\)\./).map(part => part.replaceAll('\\.', '.'));
}

/** Puts a value at a path. False if another value is there, or the path cannot be used. */
export function putClaim(claims: Claims, path: readonly string[], value: unknown): boolean {
  const [name = '', ...rest] = path;
  if (name === '' || name === '__proto__' || path.length > deepest) return false;
  const there = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (rest.length === 0) {
    if (there !== undefined) return JSON.stringify(there) === JSON.stringify(value);
    claims[name] = value;
    return true;
  }
  if (there !== undefined && !isRecord(there)) return false;
  const inner = there ?? {};
  if (!putClaim(inner, rest, value)) return false;
  claims[name] = inner;
  return true;
}

/** Applies `jsonType.label` to texts. Undefined if the text is not of the type. */
export function typedValue(texts: readonly string[], type: string | undefined, isList: boolean): JsonValue | undefined {
  const values = texts.map(text => typed(text, type));
  if (values.some(value => value === undefined)) return undefined;
  return isList ? (values as JsonValue[]) : values[0];
}

function typed(text: string, type: string | undefined): JsonValue | undefined {
  if (type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : undefined;
  if (type === 'long' || type === 'int') return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (type !== 'JSON') return text;
  try {
    const value: JsonValue = JSON.parse(text);
    return isPlain(value, deepest) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A `__proto__` in a literal would be the prototype of the object. */
function isPlain(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0 || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every(inner => inner === undefined || isPlain(inner, levels - 1));
}
