import type { Answer } from '../../../http/answer.ts';
import type { RegisteredClient } from '../../../oauth/clients/client.ts';
import { parseScope } from '../../../oauth/scope.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { membersIn, type Shape } from '../../management/members.ts';
import { answer } from './errors.ts';
import { pageOf } from './pages.ts';
import { policy } from './passwords.ts';
import { poolClient, requirePool, type UserPool } from './pool.ts';
import { poolUsers } from './users.ts';

const shape = {
  UserPoolId: 'text',
  ClientId: 'text',
  MaxResults: 'number',
  NextToken: 'text',
} as const satisfies Shape;

const admin = ['admin'];

/** The pool and its clients, as a back end sees them. */
export const describeActions: readonly ManagementCall<UserPool>[] = [
  call('POST /DescribeUserPool', 'the pool', admin, describePool),
  call('POST /DescribeUserPoolClient', 'a client of the pool', admin, (sent, pool) => {
    requirePool(pool, membersIn(sent.body, shape).UserPoolId);
    return answer({ UserPoolClient: clientJson(pool, poolClient(pool, membersIn(sent.body, shape).ClientId)) });
  }),
  call('POST /ListUserPoolClients', 'the clients of the pool', admin, (sent, pool) => {
    const { UserPoolId, MaxResults, NextToken } = membersIn(sent.body, shape);
    requirePool(pool, UserPoolId);
    const { items, next } = pageOf([...pool.server.clients.values()], { limit: MaxResults, from: NextToken });
    const UserPoolClients = items.map(({ client_id: ClientId, client_name: ClientName }) => ({
      ClientId,
      ClientName,
      UserPoolId: pool.id,
    }));
    return answer({ UserPoolClients, ...(next !== undefined && { NextToken: next }) });
  }),
];

function describePool({ body }: CallInput, pool: UserPool): Answer {
  requirePool(pool, membersIn(body, shape).UserPoolId);
  const { id, state } = pool;
  const [region, name] = id.split('_');
  return answer({
    UserPool: {
      Id: id,
      Name: name,
      // the account is one of the documentation of AWS
      Arn: `arn:aws:cognito-idp:${region}:123456789012:userpool/${id}`,
      CreationDate: state.since,
      LastModifiedDate: state.since,
      Policies: { PasswordPolicy: policy },
      AutoVerifiedAttributes: ['email'],
      MfaConfiguration: 'OPTIONAL',
      EstimatedNumberOfUsers: poolUsers(pool).length,
      UsernameConfiguration: { CaseSensitive: false },
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: false },
    },
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
  const isForUsers = grant_types.some(grant => grant === 'authorization_code' || grant === 'password');
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
      ...(isForUsers ? ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_USER_SRP_AUTH', 'ALLOW_ADMIN_USER_PASSWORD_AUTH'] : []),
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
