import type { GrantHandler } from '../authorization-server.ts';
import { invalidGrant } from '../errors.ts';
import { parameter, requiredParameter, shorten } from '../parameters.ts';
import { checkResources, requestedScopes } from '../requests/requested-access.ts';
import { countMiss, type GuessLimit, refuseGuessing } from '../users/guess-limit.ts';
import { findUser } from '../users/login-need.ts';
import { passwordFits } from '../users/user.ts';

/** Counts by client and username, so that a stranger's client cannot lock the password of a user for everybody. */
const wrongPasswords: GuessLimit = {
  kind: 'wrong_password',
  most: 20,
  forgetsAfter: 30,
  reason: 'password_guessed_too_often',
  description: 'too many wrong passwords for this user from this client',
};

/** RFC 6749 §4.3, removed by OAuth 2.1. Starts no session. A wrong username and a wrong password get the same answer. */
export const password: GrantHandler = {
  grantType: 'password',
  feature: 'password',
  parameters: ['username', 'password', 'resource'],
  async redeem({ server, client, parameters }) {
    const username = requiredParameter(parameters, 'username');
    const typed = requiredParameter(parameters, 'password');
    const scopes = requestedScopes(server, client, parameter(parameters, 'scope'));
    const resources = checkResources(server, parameters.resources);
    const guesser = JSON.stringify([client.client_id, shorten(username)]);
    await refuseGuessing(server, wrongPasswords, guesser);
    const user = findUser(server, username);
    if (user === undefined || !(await passwordFits(user, typed))) {
      await countMiss(server, wrongPasswords, guesser);
      throw invalidGrant('login_failed', 'wrong username or password', { sent: shorten(username) });
    }
    const session = { auth_time: server.clock(), acr: '1', amr: ['pwd'] };
    const authorization = {
      id: server.random.id(),
      client_id: client.client_id,
      grant_type: 'password',
      sub: user.sub,
      scopes,
      resources,
      session,
    };
    return { authorization, scopes, resources };
  },
};
