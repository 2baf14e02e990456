import type { GrantHandler } from '../authorization-server.ts';
import { invalidGrant } from '../errors.ts';
import { parameter, requiredParameter, shorten } from '../parameters.ts';
import { checkResources, requestedScopes } from '../requests/requested-access.ts';
import { countMiss, type GuessLimit, refuseGuessing } from '../users/guess-limit.ts';
import { findUser } from '../users/login-need.ts';
import { passwordFits } from '../users/user.ts';

/** By client and username, because the password of somebody else's user must not be locked by a stranger. */
const wrongPasswords: GuessLimit = {
  kind: 'wrong_password',
  most: 20,
  forgetsAfter: 30,
  reason: 'password_guessed_too_often',
  description: 'too many wrong passwords for this user from this client',
};

/**
 * RFC 6749 §4.3, which OAuth 2.1 has removed: for those who must test an old application. It starts no session, and a
 * wrong username answers like a wrong password.
 */
export const password: GrantHandler = {
  grantType: 'password',
  feature: 'password',
  parameters: ['username', 'password', 'resource'],
  async redeem({ server, client, parameters }) {
    const username = requiredParameter(parameters, 'username');
    const typed = requiredParameter(parameters, 'password');
    const scopes = requestedScopes(client, parameter(parameters, 'scope'));
    const resources = checkResources(parameters.resources);
    const guesser = JSON.stringify([client.client_id, shorten(username)]);
    await refuseGuessing(server, wrongPasswords, guesser);
    const user = findUser(server, username);
    if (user === undefined || !passwordFits(user, typed)) {
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
