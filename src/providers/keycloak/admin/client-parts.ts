import { invalidRequest } from '../../../protocol/errors.ts';
import { randomSecret } from '../../../protocol/random.ts';
import { parseScope } from '../../../protocol/scope.ts';
import type { TokenPreview } from '../../../sandbox/control/preview.ts';
import type { Answer } from '../../../server/http/answer.ts';
import {
  type CallInput,
  call,
  done,
  entryUnknown,
  inputInvalid,
  json,
  type ManagementCall,
} from '../../management/call.ts';
import { changeClient, requireOwnClient } from './change-client.ts';
import { clientRepresentation } from './client-representation.ts';
import { personWith, serviceAccounts } from './people.ts';
import { clientNamed, type Realm, scopeNamed } from './realm.ts';
import { needs } from './rights.ts';
import { sessionsOf } from './user-actions.ts';
import { userRepresentation } from './user-representation.ts';
import { paged } from './user-search.ts';

const at = '/clients/{client}';

/** Parts of a client: its secret, service account, scopes, sessions and examples of tokens (ClientResource.java). */
export const clientPartCalls: readonly ManagementCall<Realm>[] = [
  call(`GET ${at}/client-secret`, 'the secret of a client', needs.viewClients, ({ names }, realm) =>
    json(secretOf(realm, clientNamed(realm, names.client))),
  ),
  call(`POST ${at}/client-secret`, 'gives a client a new secret', needs.manageClients, async ({ names }, realm) => {
    const client_id = requireOwnClient(realm, names.client);
    await changeClient(realm, client_id, { secret: randomSecret() });
    return json(secretOf(realm, client_id));
  }),
  call(
    `GET ${at}/service-account-user`,
    'the user of a service account, who can get roles',
    needs.viewClients,
    serviceAccount,
  ),
  ...(['default', 'optional'] as const).flatMap(scopeCalls),
  call(`GET ${at}/user-sessions`, 'sessions in which a client got something', needs.viewClients, async (sent, realm) =>
    json(paged(await clientSessions(sent, realm), sent.query)),
  ),
  call(`GET ${at}/session-count`, 'the number of these sessions', needs.viewClients, async (sent, realm) =>
    json({ count: (await clientSessions(sent, realm)).length }),
  ),
  ...(['access-token', 'id-token', 'userinfo'] as const).map(exampleCall),
];

function secretOf(realm: Realm, client_id: string): object {
  const { secret } = clientRepresentation(realm, client_id);
  return { type: 'secret', ...(secret !== undefined && { value: secret }) };
}

function serviceAccount({ names }: CallInput, realm: Realm): Answer {
  const client_id = clientNamed(realm, names.client);
  const account = serviceAccounts(realm).find(({ client }) => client === client_id);
  if (account === undefined) {
    const description = `Service account not enabled for the client '${client_id}'`;
    throw invalidRequest('management_entry_unknown', description, { status: 400 });
  }
  return json(userRepresentation(realm, account));
}

/** The scopes that a client has without asking, and those that it may ask for. */
function scopeCalls(kind: 'default' | 'optional'): readonly ManagementCall<Realm>[] {
  const path = `${at}/${kind}-client-scopes`;
  const member = `${kind}ClientScopes`;
  const what = kind === 'default' ? 'scopes that a client has without asking' : 'scopes that a client may ask for';
  const scopesOf = (realm: Realm, client_id: string) => {
    const scopes = clientRepresentation(realm, client_id)[member];
    return Array.isArray(scopes) ? scopes.map(String) : [];
  };
  const set =
    (change: (scopes: readonly string[], name: string) => readonly string[]) =>
    async ({ names }: CallInput, realm: Realm) => {
      const client_id = requireOwnClient(realm, names.client);
      const scopes = change(scopesOf(realm, client_id), scopeNamed(realm, names.scope, 'Client scope not found'));
      await changeClient(realm, client_id, { [member]: scopes });
      return done;
    };
  return [
    call<Realm>(`GET ${path}`, what, needs.viewClients, ({ names }, realm) => {
      const scopes = scopesOf(realm, clientNamed(realm, names.client));
      return json(scopes.map(name => ({ id: realm.ids.idOf('scope', name), name })));
    }),
    call<Realm>(
      `PUT ${path}/{scope}`,
      `adds to the ${what}`,
      needs.manageClients,
      set((scopes, name) => [...new Set([...scopes, name])]),
    ),
    call<Realm>(
      `DELETE ${path}/{scope}`,
      `takes from the ${what}`,
      needs.manageClients,
      set((scopes, name) => scopes.filter(each => each !== name)),
    ),
  ];
}

async function clientSessions({ names }: CallInput, realm: Realm): Promise<readonly object[]> {
  const id = realm.ids.idOf('client', clientNamed(realm, names.client));
  return (await sessionsOf(realm)).filter(({ clients }) => Object.hasOwn(clients, id));
}

const examples: Readonly<Record<string, (preview: TokenPreview) => object | undefined>> = {
  'access-token': ({ access }) => access,
  'id-token': ({ id }) => id,
  userinfo: ({ userinfo }) => userinfo,
};

/** Claims of a token that is not issued (ClientScopeEvaluateResource.java). */
function exampleCall(kind: 'access-token' | 'id-token' | 'userinfo'): ManagementCall<Realm> {
  const path = `${at}/evaluate-scopes/generate-example-${kind}`;
  return call(
    `GET ${path}`,
    `the claims of ${kind.replace('-', ' ')} for \`scope\` and \`userId\``,
    needs.viewClients,
    async ({ names, query }, realm) => {
      const { server, control } = realm;
      const client = server.clients.get(clientNamed(realm, names.client));
      if (client === undefined) throw inputInvalid('the client can get no tokens: it is disabled, or has no flow');
      const id = query.get('userId');
      if (id === null && kind !== 'access-token') throw entryUnknown('No userId provided');
      const user = id === null ? undefined : server.users.get(personWith(realm, id).sub);
      const scopes = ['openid', ...parseScope(client.default_scope ?? ''), ...parseScope(query.get('scope') ?? '')];
      const preview = await control.preview(client, user, user === undefined ? scopes.slice(1) : [...new Set(scopes)]);
      return json(examples[kind]?.(preview) ?? {});
    },
  );
}
