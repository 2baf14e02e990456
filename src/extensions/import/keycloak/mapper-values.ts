import type { JsonValue } from '../../../sandbox/config/json.ts';
import { tell } from '../members.ts';
import { typedValue } from './claim-path.ts';
import type { Mapper } from './mapper.ts';
import type { Person } from './person.ts';

interface ClaimValue {
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** The claim of Keycloak that holds roles. */
  readonly isRole: boolean;
}

const placeholder = '${client_id}';

/** The claims of a mapper for a user: none, one, or one for each client that the user has roles in. */
export function valuesOf(mapper: Mapper, person: Person): readonly ClaimValue[] {
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
