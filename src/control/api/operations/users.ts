import * as v from 'valibot';
import { userSchema } from '../../../config/user-entry.ts';
import { jsonAnswer } from '../../../http/answer.ts';
import { parseScope } from '../../../oauth/scope.ts';
import { operation } from '../operation.ts';
import { refusedInput, unknownEntry } from '../refusal.ts';
import { entryOperations } from './entries.ts';

const claims = v.record(v.string(), v.unknown());

/** Users, while the sandbox runs, and what tokens would say of them. */
export const userOperations = [
  ...entryOperations({ kind: 'user', name: 'User', path: '/users', schema: userSchema }),
  operation({
    name: 'getUserClaims',
    method: 'GET',
    path: '/users/{sub}/claims',
    summary: 'What tokens and UserInfo would say of a user at a client, without issuing anything',
    query: v.strictObject({
      client: v.pipe(v.string(), v.description('A `client_id`')),
      scope: v.optional(v.pipe(v.string(), v.description('Scopes with spaces between; without it, all of the client'))),
    }),
    answers: {
      200: {
        description: 'Claims, by token; one that would not be issued is absent',
        schema: v.object({ access: claims, id: v.optional(claims), userinfo: v.optional(claims) }),
      },
      404: { description: 'There is no such user' },
    },
    async run({ path: { sub = '' }, query }, { server, control }) {
      const user = server.users.get(sub);
      if (user === undefined) throw unknownEntry('user', sub, server.users.keys());
      const client = server.clients.get(query.client);
      if (client !== undefined) {
        return jsonAnswer(200, await control.preview(client, user, parseScope(query.scope ?? client.scope)));
      }
      const expected = `one of ${[...server.clients.keys()].join(', ')}`;
      throw refusedInput([{ member: 'client', sent: query.client, expected }]);
    },
  }),
];
