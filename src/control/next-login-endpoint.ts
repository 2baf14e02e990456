import type { Work } from '../http/adapter.ts';
import { jsonAnswer } from '../http/answer.ts';
import { requireOwnOrigin } from '../http/origin-check.ts';
import { readJson } from '../http/read-json.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { nextLoginLifetime } from '../oauth/users/next-login.ts';
import { addNextLogin } from './next-login.ts';

/** `POST /_sandbox/next-login`: who signs in next, without a click. A page of another site may not say so. */
export function createNextLogin(server: AuthorizationServer): Work {
  return async req => {
    requireOwnOrigin(req);
    const login = await addNextLogin(server, await readJson(req));
    return jsonAnswer(201, { ...login, expires_in: nextLoginLifetime });
  };
}
