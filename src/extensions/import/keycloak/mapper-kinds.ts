import { withParents } from './groups.ts';
import { fullName, type Person } from './person.ts';

/** The configuration of a mapper: all values are texts. */
export type MapperConfig = (name: string) => string | undefined;

/** The value of a claim for a user, before its type is applied; undefined if the user has none. */
export type ClaimSource = (person: Person) => readonly string[] | undefined;

/**
 * A kind of mapper. `claim`: a claim from a user. `fixed`: the same claim in each token. `audience`: a value of `aud`.
 * `preset`: the preset does this by itself. A text says what the sandbox lacks.
 */
export type MapperKind =
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
  'oidc-nonce-backwards-compatible-mapper': { lost: 'the nonce is in ID Tokens alone' },
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
