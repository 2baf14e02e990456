import { isRecord } from '../../base/text/record.ts';
import type { Redemption } from '../../protocol/authorization.ts';
import type { AuthorizationServer, GrantHandler, TokenRequest } from '../../protocol/authorization-server.ts';
import { invalidGrant } from '../../protocol/errors.ts';
import { requiredParameter } from '../../protocol/parameters.ts';
import { countMiss, type GuessLimit, refuseGuessing } from '../../protocol/users/guess-limit.ts';
import type { TestUser } from '../../protocol/users/user.ts';

/** A second factor of a user, from the claim `factors`. */
export interface Factor {
  readonly type: 'otp' | 'oob' | 'recovery-code';
  readonly code: string;
}

const types = ['otp', 'oob', 'recovery-code'] as const;

/** The factors in the claims of a user; entries of another form are no factors. */
export function factorsOf({ claims }: Pick<TestUser, 'claims'>): readonly Factor[] {
  return [claims.factors ?? []].flat().flatMap(each => {
    if (!isRecord(each)) return [];
    const type = types.find(known => known === each.type);
    return type === undefined || typeof each.code !== 'string' ? [] : [{ type, code: each.code }];
  });
}

/** Seconds that the second step may take. */
const patience = 600;

interface Waiting {
  readonly redemption: Redemption;
  readonly client_id: string;
  readonly sub: string;
}

/** Redeems a grant only if its user has no second factor. Otherwise the refusal has the token for the second step. */
export function withSecondFactor(redeem: GrantHandler['redeem']): GrantHandler['redeem'] {
  return async request => {
    const { server, client } = request;
    const redemption = await redeem(request);
    const { sub = '' } = redemption.authorization;
    const user = server.users.get(sub);
    if (user === undefined || factorsOf(user).length === 0) return redemption;
    const mfa_token = server.random.secret();
    const waiting: Waiting = { redemption, client_id: client.client_id, sub };
    await server.store.put(['mfa_token', mfa_token], waiting, patience);
    const mfa_requirements = { challenge: factorsOf(user).map(({ type }) => ({ type })) };
    throw invalidGrant('second_factor_required', 'the user has a second factor', {
      members: { mfa_token, mfa_requirements },
    });
  };
}

/** The user who is asked for a second factor. @throws invalid_grant for a token that is unknown, expired or of another client */
export async function waitingUser(server: AuthorizationServer, token: string, client_id?: string): Promise<TestUser> {
  const { sub } = await waitingFor(server, token, client_id);
  const user = server.users.get(sub);
  if (user === undefined) throw invalidToken();
  return user;
}

async function waitingFor({ store }: AuthorizationServer, token: string, client_id?: string): Promise<Waiting> {
  const found = await store.get<Waiting>(['mfa_token', token]);
  if (found === undefined || (client_id !== undefined && found.client_id !== client_id)) throw invalidToken();
  return found;
}

const invalidToken = () =>
  invalidGrant(
    'second_factor_token_invalid',
    'the mfa_token is unknown, has expired, or belongs to a different client',
  );

const wrongCodes: GuessLimit = {
  kind: 'wrong_code',
  most: 10,
  forgetsAfter: 30,
  reason: 'password_guessed_too_often',
  description: 'too many wrong codes for this user from this client',
};

/** One grant for each kind of factor: it completes the login that `mfa_token` stands for. */
function secondFactorGrant(type: Factor['type'], name: string, codes: readonly [string, ...string[]]): GrantHandler {
  return {
    grantType: `http://auth0.com/oauth/grant-type/${name}`,
    registeredAs: 'password',
    parameters: ['mfa_token', ...codes],
    async redeem(request) {
      const { server, client, parameters } = request;
      const token = requiredParameter(parameters, 'mfa_token');
      const { redemption, sub } = await waitingFor(server, token, client.client_id);
      const guesser = JSON.stringify([client.client_id, sub]);
      await refuseGuessing(server, wrongCodes, guesser);
      const [code = ''] = codes.map(each => requiredParameter(parameters, each)).toReversed();
      const user = await waitingUser(server, token, client.client_id);
      if (!(await isRight(request, user, { type, code }))) {
        await countMiss(server, wrongCodes, guesser);
        throw invalidGrant('second_factor_wrong', `the code of the factor ${type} is wrong`, { sent: type });
      }
      if ((await server.store.take(['mfa_token', token])) === undefined) throw invalidToken();
      return { ...withMethod(redemption, type), ...renewed(server, user, type) };
    },
  };
}

async function isRight({ server, parameters }: TokenRequest, user: TestUser, sent: Factor): Promise<boolean> {
  if (sent.type === 'oob') {
    const challenged = await server.store.get<string>(['oob_code', requiredParameter(parameters, 'oob_code')]);
    if (challenged !== user.sub) return false;
  }
  return factorsOf(user).some(({ type, code }) => type === sent.type && code === sent.code);
}

function withMethod(redemption: Redemption, type: Factor['type']): Redemption {
  const { session } = redemption.authorization;
  const amr = [...(session?.amr ?? []), 'mfa', ...(type === 'otp' ? ['otp'] : [])];
  return {
    ...redemption,
    authorization: { ...redemption.authorization, ...(session && { session: { ...session, amr } }) },
  };
}

/** A recovery code works once: the answer has the next one. */
function renewed(
  { users, random }: AuthorizationServer,
  user: TestUser,
  type: Factor['type'],
): Pick<Redemption, 'response'> {
  if (type !== 'recovery-code') return {};
  const recovery_code = random.secret().replace(/[-_]/g, '').slice(0, 24).toUpperCase();
  const factors = factorsOf(user).map(each => (each.type === type ? { type, code: recovery_code } : each));
  users.save({ ...user, claims: { ...user.claims, factors } });
  return { response: { recovery_code } };
}

/** The grants of the second step (MFA API). */
export const secondFactorGrants: readonly GrantHandler[] = [
  secondFactorGrant('otp', 'mfa-otp', ['otp']),
  secondFactorGrant('oob', 'mfa-oob', ['oob_code', 'binding_code']),
  secondFactorGrant('recovery-code', 'mfa-recovery-code', ['recovery_code']),
];
