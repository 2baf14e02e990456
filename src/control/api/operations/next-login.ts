import * as v from 'valibot';
import { jsonAnswer } from '../../../http/answer.ts';
import { nextLoginLifetime } from '../../../oauth/users/next-login.ts';
import { optional } from '../../described.ts';
import { addNextLogin, nextLoginActions } from '../../next-login.ts';
import { operation } from '../operation.ts';

const nextLogin = {
  sub: optional(v.string(), '`sub`, username or e-mail address of a user; not for an error'),
  client: optional(v.string(), 'Waits for a login at this client; without it, at any'),
  claims: optional(v.record(v.string(), v.unknown()), 'For this login only; `null` takes one away'),
  action: optional(v.picklist(nextLoginActions), 'Answers with an error instead'),
};

/** The user who signs in next without a click. */
export const nextLoginOperations = [
  operation({
    name: 'nextLogin',
    method: 'POST',
    path: '/next-login',
    summary: 'Say who signs in next without a click, or with what error that login is answered; once',
    body: v.strictObject(nextLogin),
    checksBody: true,
    answers: {
      201: {
        description: 'It waits for a login, for `expires_in` seconds',
        schema: v.object({ ...nextLogin, expires_in: v.number() }),
      },
    },
    async run({ body }, { server }) {
      const login = await addNextLogin(server, body);
      return jsonAnswer(201, { ...login, expires_in: nextLoginLifetime });
    },
  }),
];
