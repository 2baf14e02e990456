import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { answer } from './errors.ts';
import { membersOf } from './members.ts';
import { pageOf } from './pages.ts';
import { policy } from './passwords.ts';
import { requirePool, type UserPool } from './pool.ts';
import { poolUsers } from './users.ts';

const admin = ['admin'];

/** The pool, as a back end sees it. */
export const describeActions: readonly ManagementCall<UserPool>[] = [
  call('POST /DescribeUserPool', 'the pool', admin, describePool),
  call('POST /ListUserPools', 'the pool, as a list', admin, (sent, pool) => {
    const { MaxResults, NextToken } = membersOf(sent);
    const { items } = pageOf([factsOf(pool)], { limit: MaxResults, from: NextToken });
    return answer({ UserPools: items.map(facts => ({ ...facts, LambdaConfig: {} })) });
  }),
];

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
