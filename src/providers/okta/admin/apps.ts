import { type AnyMembers, isRecord } from '../../../base/text/record.ts';
import { randomId, randomSecret } from '../../../protocol/random.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, inputInvalid, json, type ManagementCall } from '../../management/call.ts';
import { membersIn } from '../../management/members.ts';
import { apply } from '../../management/users.ts';
import { listAnswer } from './answers.ts';
import { addressOf, missingEntry, type Org, refusedBy } from './org.ts';

const read = ['okta.apps.read'];
const manage = ['okta.apps.manage'];

/** The OpenID Connect apps of an org: each is a client (developer.okta.com, Applications API). */
export const appCalls: readonly ManagementCall<Org>[] = [
  call('GET /apps', 'apps by `q`, in pages by `limit` and `after`', read, list),
  call('POST /apps', 'creates an app with `signOnMode: OPENID_CONNECT`', manage, create),
  call('GET /apps/{app}', 'an app: its id is the `client_id`', read, ({ names }, org) => shown(org, names.app)),
  call('PUT /apps/{app}', 'changes an app', manage, update),
  call('DELETE /apps/{app}', 'removes an app that is not active', manage, remove),
  call('POST /apps/{app}/lifecycle/activate', 'lets an app get tokens again', manage, activate),
  call('POST /apps/{app}/lifecycle/deactivate', 'an app gets no tokens until `activate`', manage, deactivate),
];

interface App {
  readonly id: string;
  readonly entry: AnyMembers;
  readonly isActive: boolean;
}

function apps({ server, control, state }: Org): readonly App[] {
  const active = [...server.clients.keys()].flatMap(id => {
    const entry = control.clientEntry(id);
    return entry === undefined ? [] : [{ id, entry, isActive: true }];
  });
  return [...active, ...[...state.apps].map(([id, entry]) => ({ id, entry, isActive: false }))];
}

function appWith(org: Org, id = ''): App {
  return apps(org).find(each => each.id === id) ?? missingEntry('AppInstance', id);
}

function shown(org: Org, id: string | undefined): Answer {
  return json(appBody(org, appWith(org, id)));
}

function appBody(org: Org, { id, entry, isActive }: App) {
  const { since } = org.state;
  const { client_secret, client_name = id, redirect_uris = [], post_logout_redirect_uris = [] } = entry;
  const { token_endpoint_auth_method = client_secret === undefined ? 'none' : 'client_secret_basic' } = entry;
  const { grant_types = ['authorization_code'], response_types = ['code'] } = entry;
  const isPublic = token_endpoint_auth_method === 'none';
  return {
    id,
    name: 'oidc_client',
    label: client_name,
    status: isActive ? 'ACTIVE' : 'INACTIVE',
    created: since,
    lastUpdated: since,
    signOnMode: 'OPENID_CONNECT',
    credentials: {
      oauthClient: {
        client_id: id,
        ...(client_secret !== undefined && { client_secret }),
        token_endpoint_auth_method,
        pkce_required: isPublic || entry.require_pkce === true,
      },
    },
    settings: {
      oauthClient: {
        redirect_uris,
        post_logout_redirect_uris,
        grant_types,
        response_types,
        application_type: [grant_types].flat().includes('client_credentials')
          ? 'service'
          : isPublic
            ? 'browser'
            : 'web',
        consent_method: entry.require_consent === true ? 'REQUIRED' : 'TRUSTED',
      },
    },
    _links: { self: { href: addressOf(org, 'apps', id) } },
  };
}

function list(sent: CallInput, org: Org): Answer {
  const q = sent.query.get('q')?.toLowerCase() ?? '';
  const found = apps(org).filter(({ id, entry }) =>
    String(entry.client_name ?? id)
      .toLowerCase()
      .startsWith(q),
  );
  return listAnswer(org, sent, found, each => appBody(org, each));
}

function sentClient(body: unknown): AnyMembers {
  const {
    label,
    signOnMode = 'OPENID_CONNECT',
    credentials = {},
    settings = {},
  } = membersIn(body, {
    label: 'text',
    signOnMode: 'text',
    credentials: 'record',
    settings: 'record',
  });
  if (signOnMode !== 'OPENID_CONNECT') throw inputInvalid('signOnMode: The sandbox has only OPENID_CONNECT apps');
  const secret = isRecord(credentials.oauthClient) ? credentials.oauthClient : {};
  const own = isRecord(settings.oauthClient) ? settings.oauthClient : {};
  const isForLogin = [own.grant_types ?? 'authorization_code']
    .flat()
    .some(each => each === 'authorization_code' || each === 'implicit');
  const names = [
    'redirect_uris',
    'post_logout_redirect_uris',
    'grant_types',
    ...(isForLogin ? ['response_types'] : []),
  ];
  return Object.fromEntries(
    [
      ['client_name', label],
      ...['client_id', 'client_secret', 'token_endpoint_auth_method'].map(name => [name, secret[name]]),
      ...names.map(name => [name, own[name]]),
      ['require_pkce', secret.pkce_required],
      ['require_consent', own.consent_method === undefined ? undefined : own.consent_method === 'REQUIRED'],
    ].filter(([, value]) => value !== undefined && value !== null),
  );
}

async function create({ body }: CallInput, org: Org): Promise<Answer> {
  const { client_id = `0oa${randomId().replaceAll('-', '').slice(0, 17)}`, ...sent } = sentClient(body);
  if (sent.client_name === undefined) throw inputInvalid('label: The field cannot be left blank');
  const { token_endpoint_auth_method: method, ...others } = sent;
  const needsSecret = method === undefined || String(method).startsWith('client_secret');
  const secret = needsSecret ? { client_secret: sent.client_secret ?? randomSecret() } : {};
  const way = method === undefined || method === 'none' ? {} : { token_endpoint_auth_method: method };
  await apply(org, { kind: 'client.create', members: { client_id, ...others, ...way, ...secret } }, taken);
  return shown(org, String(client_id));
}

const taken = 'client_id: An object with this field already exists in the current organization';

async function update({ body, names }: CallInput, org: Org): Promise<Answer> {
  const { id, entry, isActive } = appWith(org, names.app);
  const { client_id = id, ...members } = sentClient(body);
  if (client_id !== id) throw inputInvalid('client_id: An app keeps its id');
  const { token_endpoint_auth_method: method, ...others } = members;
  const way = method === undefined || method === 'none' ? {} : { token_endpoint_auth_method: method };
  const changed = { ...others, ...way };
  if (isActive) await apply(org, { kind: 'client.patch', client_id: id, members: changed });
  else org.state.apps.set(id, { ...entry, ...changed });
  return shown(org, id);
}

async function remove({ names }: CallInput, org: Org): Promise<void> {
  const { id, isActive } = appWith(org, names.app);
  if (isActive)
    throw refusedBy(
      'E0000056',
      403,
      'Delete application forbidden. The application must be deactivated before deletion.',
    );
  org.state.apps.delete(id);
}

async function activate({ names }: CallInput, org: Org): Promise<Answer> {
  const { id, entry, isActive } = appWith(org, names.app);
  if (isActive) return json({});
  await apply(org, { kind: 'client.create', members: entry }, taken);
  org.state.apps.delete(id);
  return json({});
}

async function deactivate({ names }: CallInput, org: Org): Promise<Answer> {
  const { id, entry, isActive } = appWith(org, names.app);
  if (!isActive) return json({});
  org.state.apps.set(id, { client_id: id, ...entry });
  await apply(org, { kind: 'client.delete', client_id: id });
  return json({});
}
