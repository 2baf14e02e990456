import { isRecord } from '../../../base/text/record.ts';
import { randomId } from '../../../protocol/random.ts';
import type { Answer } from '../../../server/http/answer.ts';
import {
  type CallInput,
  call,
  created,
  entryTaken,
  inputInvalid,
  json,
  type ManagementCall,
  missing,
  notServed,
} from '../../management/call.ts';
import { membersIn, type Shape } from '../../management/members.ts';
import { changeClient, requireOwnClient } from './change-client.ts';
import { clientRepresentation } from './client-representation.ts';
import { addressOf, clientNamed, type Realm } from './realm.ts';
import { needs } from './rights.ts';

const at = '/clients/{client}/protocol-mappers';

/** The mappers of a client (ProtocolMappersResource.java): those that add a fixed claim or an audience. */
export const mapperCalls: readonly ManagementCall<Realm>[] = [
  call(`GET ${at}/models`, 'the mappers of a client', needs.viewClients, ({ names }, realm) =>
    json(mappersOf(realm, names.client)),
  ),
  call(
    `GET ${at}/protocol/{protocol}`,
    'the mappers of a client for a protocol',
    needs.viewClients,
    ({ names }, realm) => json(mappersOf(realm, names.client).filter(({ protocol }) => protocol === names.protocol)),
  ),
  call(`POST ${at}/models`, 'adds a mapper with a fixed claim or an audience', needs.manageClients, add),
  call(`POST ${at}/add-models`, 'adds several mappers', needs.manageClients, ({ body, names }, realm) =>
    setMappers(realm, names.client, mappers => [...mappers, ...mappersSent(listOf(body))]),
  ),
  call(`GET ${at}/models/{mapper}`, 'a mapper', needs.viewClients, ({ names }, realm) => json(mapperOf(realm, names))),
  call(`PUT ${at}/models/{mapper}`, 'changes a mapper', needs.manageClients, async ({ body, names }, realm) => {
    const before = mapperOf(realm, names);
    const [after] = mappersSent([{ ...before, ...membersIn(body, mapperShape) }]);
    await setMappers(realm, names.client, all => all.map(each => (each.id === before.id && after ? after : each)));
  }),
  call(`DELETE ${at}/models/{mapper}`, 'removes a mapper', needs.manageClients, async ({ names }, realm) => {
    const { id } = mapperOf(realm, names);
    await setMappers(realm, names.client, all => all.filter(each => each.id !== id));
  }),
];

function listOf(body: unknown): readonly MapperJson[] {
  if (!Array.isArray(body) || !body.every(isRecord)) throw inputInvalid('the body must be a list of mappers');
  return body;
}

function mappersOf(realm: Realm, client: string | undefined): readonly MapperJson[] {
  const { protocolMappers } = clientRepresentation(realm, clientNamed(realm, client));
  return Array.isArray(protocolMappers) ? protocolMappers : [];
}

function mapperOf(realm: Realm, names: CallInput['names']): MapperJson {
  return (
    mappersOf(realm, names.client).find(({ id }) => id === names.mapper) ?? missing('Model not found', names.mapper)
  );
}

async function add({ body, names }: CallInput, realm: Realm): Promise<Answer> {
  const [mapper] = mappersSent([membersIn(body, mapperShape)]);
  await setMappers(realm, names.client, mappers => (mapper === undefined ? mappers : [...mappers, mapper]));
  const client = realm.ids.idOf('client', clientNamed(realm, names.client));
  return created(addressOf(realm, 'clients', client, 'protocol-mappers', 'models', String(mapper?.id)));
}

async function setMappers(
  realm: Realm,
  client: string | undefined,
  change: (mappers: readonly MapperJson[]) => readonly MapperJson[],
): Promise<void> {
  const client_id = requireOwnClient(realm, client);
  const protocolMappers = change(mappersOf(realm, client_id));
  const names = protocolMappers.map(({ name }) => name);
  if (new Set(names).size < names.length) throw entryTaken('Protocol mapper exists with same name');
  await changeClient(realm, client_id, { protocolMappers });
}

/** A mapper as the admin API sends and answers it (ProtocolMapperRepresentation.java). */
type MapperJson = Readonly<Record<string, unknown>>;

const mapperShape = {
  name: 'text',
  protocol: 'text',
  protocolMapper: 'text',
  config: 'record',
} as const satisfies Shape;

/** Mappers that the sandbox runs, and those whose work the preset does by itself. */
const served = [
  'oidc-hardcoded-claim-mapper',
  'oidc-audience-mapper',
  'oidc-audience-resolve-mapper',
  'oidc-allowed-origins-mapper',
  'oidc-acr-mapper',
  'oidc-amr-mapper',
  'oidc-sub-mapper',
];

/**
 * The mappers of a body, each with an id.
 * @throws 501 for a kind that would do nothing
 */
export function mappersSent(sent: readonly MapperJson[]): readonly MapperJson[] {
  return sent.map(each => {
    const { name, protocolMapper = '', ...mapper } = membersIn(each, mapperShape);
    if (name === undefined || name === '') throw inputInvalid('a mapper has no name');
    if (!served.includes(protocolMapper))
      throw notServed(
        'Keycloak',
        `the mapper ${protocolMapper}`,
        `a mapper of the kind ${served.slice(0, 2).join(' or ')}`,
      );
    const id = typeof each.id === 'string' ? each.id : randomId();
    return { id, name, protocol: 'openid-connect', protocolMapper, consentRequired: false, ...mapper };
  });
}
