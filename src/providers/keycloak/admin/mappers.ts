import { isRecord } from '../../../base/text/record.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { created, json } from '../../management/answers.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { membersIn } from '../../management/members.ts';
import { entryTaken, inputInvalid, missing } from '../../management/refusals.ts';
import { changeClient, requireOwnClient } from './change-client.ts';
import { clientNamed } from './client-names.ts';
import { clientRepresentation } from './client-representation.ts';
import { type MapperJson, mapperShape, mappersSent } from './mapper-json.ts';
import { addressOf, type Realm } from './realm.ts';
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
