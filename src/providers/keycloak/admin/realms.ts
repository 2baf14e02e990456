import { isSameJson } from '../../../protocol/json-parameter.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, entryUnknown, inputInvalid, json, type ManagementCall } from '../../management/call.ts';
import { membersIn } from '../../management/members.ts';
import { type Realm, requireRoom } from './realm.ts';
import { needs } from './rights.ts';
import { sessionsOf } from './user-actions.ts';

/** The list of realms: the one realm of the issuer (RealmsAdminResource.java). */
export const realmListCall: ManagementCall<Realm> = call(
  'GET /admin/realms',
  'the realm of the issuer, as a list',
  needs.any,
  ({ caller }, realm) => json([realmRepresentation(realm, needs.viewRealm.some(caller.has))]),
);

/** The version that programs compare before they send calls. */
export const serverInfoCall: ManagementCall<Realm> = call(
  'GET /admin/serverinfo',
  'the version of Keycloak that the sandbox speaks like',
  needs.any,
  () => json({ systemInfo: { version: '26.0.0' } }),
);

/** The realm itself (RealmAdminResource.java). */
export const realmCalls: readonly ManagementCall<Realm>[] = [
  call('GET ', 'the realm', needs.any, ({ caller }, realm) =>
    json(realmRepresentation(realm, needs.viewRealm.some(caller.has))),
  ),
  call(
    'PUT ',
    'keeps names and attributes; the settings of the realm stay those of the configuration',
    needs.manageRealm,
    update,
  ),
  call('GET /keys', 'the signing keys', needs.viewRealm, keys),
  call('POST /logout-all', 'ends all sessions', needs.manageUsers, logoutAll),
  call('GET /client-session-stats', 'the number of sessions by client', needs.viewRealm, sessionStats),
  call('DELETE /sessions/{session}', 'ends a session', needs.manageUsers, async ({ names }, { control }) => {
    if (!(await control.endSession(names.session ?? ''))) throw entryUnknown('Sesssion not found', names.session); // as Keycloak spells it
  }),
];

/** Settings of the realm that the configuration decides. */
function settings({ name, ids, server }: Realm): Readonly<Record<string, unknown>> {
  const { accessToken, code, session, refreshToken } = server.lifetimes;
  return {
    id: ids.idOf('realm', name),
    realm: name,
    enabled: true,
    accessTokenLifespan: accessToken,
    accessCodeLifespan: code,
    ssoSessionMaxLifespan: session,
    ssoSessionIdleTimeout: refreshToken,
    registrationAllowed: false,
    loginWithEmailAllowed: true,
    duplicateEmailsAllowed: false,
    defaultSignatureAlgorithm: server.signingAlg,
  };
}

/** Without a right to see the realm, only its name is shown. */
function realmRepresentation(realm: Realm, isWhole: boolean): object {
  const { id, realm: name } = settings(realm);
  return isWhole ? { ...Object.fromEntries(realm.state.realm), ...settings(realm) } : { id, realm: name };
}

/** @throws 400 for a setting with another value than that of the configuration */
function update({ body }: CallInput, realm: Realm): void {
  membersIn(body, { displayName: 'text', displayNameHtml: 'text', attributes: 'record', enabled: 'flag' });
  const fixed = settings(realm);
  const sent = Object.entries(Object(body)).filter(([name]) => name !== 'id');
  const other = sent.find(([name, value]) => Object.hasOwn(fixed, name) && !isSameJson(fixed[name], value));
  if (other !== undefined)
    throw inputInvalid(
      `${other[0]}: the configuration decides this setting: expected ${JSON.stringify(fixed[other[0]])}`,
    );
  requireRoom(realm.state.realm.size + sent.length, 'members of the realm');
  for (const [name, value] of sent) if (!Object.hasOwn(fixed, name)) realm.state.realm.set(name, value);
}

async function keys(_: CallInput, { control }: Realm): Promise<Answer> {
  const all = await control.keys();
  const signing = all.filter(({ isSigning }) => isSigning);
  return json({
    active: Object.fromEntries(signing.map(({ alg, kid }) => [alg, kid])),
    keys: all.map(({ alg, kid, publicKey, isSigning, publicJwk }) => ({
      providerPriority: 100,
      kid,
      status: isSigning ? 'ACTIVE' : 'PASSIVE',
      type: publicJwk.kty,
      algorithm: alg,
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      use: 'SIG',
    })),
  });
}

async function logoutAll(_: CallInput, { control, server }: Realm): Promise<Answer> {
  await control.reset('sessions');
  return json({
    successRequests: [...server.clients.values()].flatMap(each => each.backchannel_logout_uri ?? []),
    failedRequests: [],
  });
}

async function sessionStats(_: CallInput, realm: Realm): Promise<Answer> {
  const all = (await sessionsOf(realm)).flatMap(({ clients }) => Object.entries(clients));
  const byId = new Map(all);
  const active = (id: string) => String(all.filter(([each]) => each === id).length);
  return json([...byId].map(([id, clientId]) => ({ id, clientId, active: active(id), offline: '0' })));
}
