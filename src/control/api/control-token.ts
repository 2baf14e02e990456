import type { IncomingMessage } from 'node:http';
import { invalidToken } from '../../oauth/errors.ts';
import { sameSecret } from '../../oauth/random.ts';

/**
 * Where `CONTROL_TOKEN` is set, the control API is for those who have it: `Authorization: Bearer <token>`. What was sent is
 * never told to anybody.
 * @throws invalid_token
 */
export function requireControlToken({ headers: { authorization } }: IncomingMessage, token: string): void {
  const sent = /^bearer +(.+)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (sent !== undefined && sameSecret(sent, token)) return;
  const reason = sent === undefined ? 'control_token_missing' : 'control_token_wrong';
  const description = sent === undefined ? 'CONTROL_TOKEN is set, and no token came' : 'this is not the CONTROL_TOKEN';
  throw invalidToken(reason, description, {
    sent: authorization === undefined ? 'no Authorization header' : 'a header with something else in it',
    expected: 'Authorization: Bearer, and the value of CONTROL_TOKEN',
    headers: {
      'WWW-Authenticate': `Bearer realm="grantbox control"${sent === undefined ? '' : ', error="invalid_token"'}`,
    },
  });
}
