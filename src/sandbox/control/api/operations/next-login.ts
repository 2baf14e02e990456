import * as v from 'valibot';
import { nextLoginLifetime } from '../../../../protocol/users/next-login.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { optional } from '../../described.ts';
import { addNextLogin, nextLoginActions } from '../../next-login.ts';
import { operation } from '../operation.ts';

const nextLogin = {
  sub: optional(v.string(), 'The `sub`, username or e-mail address of a user; not together with `action`'),
  client: optional(v.string(), 'Only a login at this client. Default: any client'),
  claims: optional(v.record(v.string(), v.unknown()), 'Claims for this login only; `null` removes a claim'),
  action: optional(v.picklist(nextLoginActions), 'Answer the login with this error'),
};

/** The user who signs in next without a click. */
export const nextLoginOperations = [
  operation({
    name: 'nextLogin',
    method: 'POST',
    path: '/next-login',
    summary: 'Choose the user of the next login, or its error: the login needs no click',
    body: v.strictObject(nextLogin),
    checksBody: true,
    answers: {
      201: {
        description: 'The choice waits `expires_in` seconds for a login',
        schema: v.object({ ...nextLogin, expires_in: v.number() }),
      },
    },
    async run({ body }, { server }) {
      const login = await addNextLogin(server, body);
      return jsonAnswer(201, { ...login, expires_in: nextLoginLifetime });
    },
  }),
];
