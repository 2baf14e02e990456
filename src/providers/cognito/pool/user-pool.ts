import type { IncomingMessage } from 'node:http';
import type { EndpointRequest } from '../../../protocol/endpoints/endpoint.ts';
import { shorten } from '../../../protocol/parameters.ts';
import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import type { Answer } from '../../../server/http/answer.ts';
import type { Handler } from '../../../server/http/request-context.ts';
import { type CallInput, call, type ManagementCall, type ManagementCaller } from '../../management/call.ts';
import { createManagement } from '../../management/router.ts';
import { adminUserActions } from './admin-users.ts';
import { clientActions } from './clients.ts';
import { answer, jsonType, poolErrors, refused } from './errors.ts';
import { groupActions } from './groups.ts';
import { membersOf } from './members.ts';
import { mfaActions } from './mfa.ts';
import { createState, pageOf, requirePool, type UserPool } from './pool.ts';
import { signInActions } from './sign-in.ts';
import { signUpActions } from './sign-up.ts';
import { signedInActions } from './signed-in.ts';
import { policy, poolUsers } from './users.ts';

const admin = ['admin'];

/** Every action of the user pool API. The path of a row is the name of its action. */
export const poolActions: readonly ManagementCall<UserPool>[] = [
  ...signUpActions,
  ...signInActions,
  ...signedInActions,
  ...mfaActions,
  ...adminUserActions,
  ...groupActions,
  // the pool, as a back end sees it
  call('POST /DescribeUserPool', 'the pool', admin, describePool),
  call('POST /ListUserPools', 'the pool, as a list', admin, (sent, pool) => {
    const { MaxResults, NextToken } = membersOf(sent);
    const { items } = pageOf([factsOf(pool)], { limit: MaxResults, from: NextToken });
    return answer({ UserPools: items.map(facts => ({ ...facts, LambdaConfig: {} })) });
  }),
  ...clientActions,
];

/** The name of the API in the header `X-Amz-Target`. */
const service = 'AWSCognitoIdentityProviderService.';

/** The API of one user pool (Amazon Cognito Identity Provider). */
export function createPoolApi(issuer: ManagedIssuer): Handler {
  const { server, events, requireControlToken } = issuer;
  const { pool: id = '', code = '', mfa = '' } = server.dialect?.options ?? {};
  return createManagement({
    title: 'Cognito',
    issuer,
    pathOf: actionOf,
    jsonType,
    isForPages: true,
    calls: poolActions,
    place: { ...issuer, id, code, mfa, state: createState(events, server.wallClock()) },
    form: poolErrors,
    done: answer(),
    authenticate: async (request, req) => callerOf(request, req, requireControlToken),
  });
}

function actionOf({ headers }: IncomingMessage): string {
  const target = String(headers['x-amz-target'] ?? '');
  return `/${target.startsWith(service) ? target.slice(service.length) : target}`;
}

/**
 * The back end that signed the request. The signature is not checked: the sandbox knows no secret keys. Where a
 * `CONTROL_TOKEN` closes the control API, the id of the access key must be that token.
 * @throws MissingAuthenticationTokenException, UnrecognizedClientException
 */
function callerOf(
  { authorization = '' }: EndpointRequest,
  req: IncomingMessage,
  requireControlToken: ManagedIssuer['requireControlToken'],
): ManagementCaller {
  const key = /^AWS4-HMAC-SHA256 +Credential=([^/,\s]{1,256})\//.exec(authorization)?.[1];
  if (key === undefined) {
    const message = 'Missing Authentication Token: this action needs a request that is signed with any access key';
    throw refused('MissingAuthenticationTokenException', message);
  }
  requireControlToken?.(req, key);
  return {
    name: `the access key ${requireControlToken === undefined ? shorten(key, 40) : '(CONTROL_TOKEN)'}`,
    has: () => true,
  };
}

function factsOf({ id, state }: UserPool) {
  const name = id.slice(id.indexOf('_') + 1);
  return { Id: id, Name: name, CreationDate: state.since, LastModifiedDate: state.since };
}

function describePool(sent: CallInput, pool: UserPool): Answer {
  requirePool(pool, membersOf(sent).UserPoolId);
  const { id, mfa } = pool;
  const [region] = id.split('_');
  return answer({
    UserPool: {
      ...factsOf(pool),
      // the account is one of the documentation of AWS
      Arn: `arn:aws:cognito-idp:${region}:123456789012:userpool/${id}`,
      Policies: { PasswordPolicy: policy },
      AutoVerifiedAttributes: ['email'],
      MfaConfiguration: mfa.toUpperCase(),
      EstimatedNumberOfUsers: poolUsers(pool).length,
      UsernameConfiguration: { CaseSensitive: false },
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: false },
    },
  });
}
