import { defined } from '../../../base/defined.ts';
import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { shorten } from '../../../protocol/parameters.ts';
import { randomSecret } from '../../../protocol/random.ts';
import { parseScope } from '../../../protocol/scope.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { membersIn } from '../../management/members.ts';
import { apply } from '../../management/users.ts';
import { answer, refused } from './errors.ts';
import { membersOf, type SentMembers } from './members.ts';
import { isForLogins, pageOf, poolClient, required, requirePool, type UserPool } from './pool.ts';

const admin = ['admin'];

/** The clients of the pool, for a back end. */
export const clientActions: readonly ManagementCall<UserPool>[] = [
  call('POST /CreateUserPoolClient', 'adds a client, also with a secret', admin, create),
  call('POST /DescribeUserPoolClient', 'a client of the pool', admin, (sent, pool) =>
    answer({ UserPoolClient: clientJson(pool, namedClient(sent, pool)) }),
  ),
  call('POST /ListUserPoolClients', 'the clients of the pool', admin, (sent, pool) => {
    const { UserPoolId, MaxResults, NextToken } = membersOf(sent);
    requirePool(pool, UserPoolId);
    const { items, next } = pageOf([...pool.server.clients.values()], { limit: MaxResults, from: NextToken });
    const UserPoolClients = items.map(({ client_id: ClientId, client_name: ClientName }) => ({
      ClientId,
      ClientName,
      UserPoolId: pool.id,
    }));
    return answer({ UserPoolClients, NextToken: next });
  }),
  call('POST /DeleteUserPoolClient', 'removes a client, with its tokens', admin, async (sent, pool) => {
    const { client_id } = namedClient(sent, pool);
    await apply(pool, { kind: 'client.delete', client_id });
  }),
];

function namedClient(sent: CallInput, pool: UserPool): RegisteredClient {
  const { UserPoolId, ClientId } = membersOf(sent);
  requirePool(pool, UserPoolId);
  return poolClient(pool, ClientId);
}

async function create(input: CallInput, pool: UserPool): Promise<Answer> {
  const sent = membersOf(input);
  requirePool(pool, sent.UserPoolId);
  const client_name = required(sent.ClientName, 'ClientName');
  const client_id = pool.server.random.id().replaceAll('-', '').slice(0, 26);
  const members = {
    client_id,
    client_name,
    ...(sent.GenerateSecret && { client_secret: randomSecret() }),
    redirect_uris: sent.CallbackURLs ?? [],
    post_logout_redirect_uris: sent.LogoutURLs ?? [],
    grant_types: grantsOf(sent),
    ...(sent.AllowedOAuthScopes && { scope: sent.AllowedOAuthScopes.join(' ') }),
    ...lifetimesOf(sent),
    refresh_token_rotation: sent.RefreshTokenRotation?.Feature === 'ENABLED',
  };
  await apply(pool, { kind: 'client.create', members });
  return answer({ UserPoolClient: clientJson(pool, poolClient(pool, client_id)) });
}

/** Without a list of flows, users can log in by the user pool API, unless the client is a machine. */
function grantsOf({ AllowedOAuthFlows = [], ExplicitAuthFlows }: SentMembers): readonly string[] {
  const names = flows.map(([, flow]) => flow);
  const unknown = AllowedOAuthFlows.find(flow => !names.includes(flow));
  if (unknown !== undefined)
    throw refused('InvalidParameterException', `AllowedOAuthFlows are ${names.join(', ')}`, shorten(unknown));
  const isMachine = AllowedOAuthFlows.includes('client_credentials');
  if (isMachine && AllowedOAuthFlows.length > 1) {
    const message = 'client_credentials flow can not be selected along with code flow or implicit flow.';
    throw refused('InvalidOAuthFlowException', message);
  }
  const allowsLogins = (ExplicitAuthFlows ?? (isMachine ? [] : ['ALLOW_USER_SRP_AUTH'])).length > 0;
  const hosted = flows.filter(([, flow]) => AllowedOAuthFlows.includes(flow)).map(([grant]) => grant);
  return [...hosted, ...(allowsLogins ? ['refresh_token'] : [])];
}

const units = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
const unitShape = { AccessToken: 'text', IdToken: 'text', RefreshToken: 'text' } as const;

/** Lifetimes come in hours, and those of refresh tokens in days, unless the request names units. */
function lifetimesOf({ TokenValidityUnits = {}, ...sent }: SentMembers): object {
  const { AccessToken = 'hours', IdToken = 'hours', RefreshToken = 'days' } = membersIn(TokenValidityUnits, unitShape);
  const seconds = (validity: number | undefined, unit: string) => {
    const known = Object.entries(units).find(([name]) => name === unit)?.[1];
    if (known === undefined)
      throw refused('InvalidParameterException', `TokenValidityUnits are ${Object.keys(units).join(', ')}`, unit);
    return validity && validity * known; // 0 means the usual one
  };
  return defined({
    access_token_lifetime: seconds(sent.AccessTokenValidity, AccessToken) || undefined,
    id_token_lifetime: seconds(sent.IdTokenValidity, IdToken) || undefined,
    refresh_token_lifetime: seconds(sent.RefreshTokenValidity, RefreshToken) || undefined,
  });
}

/** The flows of the hosted UI by our grants. */
const flows: readonly (readonly [grant: string, flow: string])[] = [
  ['authorization_code', 'code'],
  ['implicit', 'implicit'],
  ['client_credentials', 'client_credentials'],
];

function clientJson({ id, state, server }: UserPool, client: RegisteredClient): object {
  const { client_id, client_name, client_secret, grant_types } = client;
  return {
    UserPoolId: id,
    ClientId: client_id,
    ClientName: client_name,
    ...(client_secret !== undefined && { ClientSecret: client_secret }),
    CreationDate: state.since,
    LastModifiedDate: state.since,
    AccessTokenValidity: client.access_token_lifetime,
    IdTokenValidity: client.id_token_lifetime ?? server.lifetimes.idToken,
    RefreshTokenValidity: client.refresh_token_lifetime ?? server.lifetimes.refreshToken,
    TokenValidityUnits: { AccessToken: 'seconds', IdToken: 'seconds', RefreshToken: 'seconds' },
    ExplicitAuthFlows: [
      ...(isForLogins(client)
        ? ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_USER_SRP_AUTH', 'ALLOW_ADMIN_USER_PASSWORD_AUTH', 'ALLOW_USER_AUTH']
        : []),
      ...(grant_types.includes('refresh_token') ? ['ALLOW_REFRESH_TOKEN_AUTH'] : []),
    ],
    SupportedIdentityProviders: ['COGNITO'],
    CallbackURLs: client.redirect_uris,
    LogoutURLs: client.post_logout_redirect_uris,
    AllowedOAuthFlows: flows.filter(([grant]) => grant_types.includes(grant)).map(([, flow]) => flow),
    AllowedOAuthScopes: parseScope(client.scope),
    AllowedOAuthFlowsUserPoolClient: true,
    PreventUserExistenceErrors: 'ENABLED',
    EnableTokenRevocation: true,
    RefreshTokenRotation: { Feature: client.refresh_token_rotation ? 'ENABLED' : 'DISABLED' },
  };
}
