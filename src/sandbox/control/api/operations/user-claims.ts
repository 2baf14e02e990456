import * as v from 'valibot';
import { parseScope } from '../../../../protocol/scope.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { optional, text } from '../../described.ts';
import { refusedInput, unknownEntry } from '../../refusal.ts';
import { operation } from '../operation.ts';

const claims = v.record(v.string(), v.unknown());

/** Preview of the claims in a user's tokens. */
export const userClaims = operation({
  name: 'getUserClaims',
  method: 'GET',
  path: '/users/{sub}/claims',
  summary: 'Preview the claims of a user at a client, without issuing a token',
  query: v.strictObject({
    client: text('A `client_id`'),
    scope: optional(v.string(), 'Space-delimited scopes. Default: all scopes of the client'),
  }),
  answers: {
    200: {
      description: 'Claims for each token; a token that would not be issued is absent',
      schema: v.object({ access: claims, id: v.optional(claims), userinfo: v.optional(claims) }),
    },
    404: { description: 'No user has this `sub`' },
  },
  async run({ path: { sub = '' }, query }, { server, control }) {
    const user = server.users.get(sub);
    if (user === undefined) throw unknownEntry('user', sub, server.users.keys());
    const client = server.clients.get(query.client);
    if (client !== undefined) {
      const { origins: _, ...tokens } = await control.preview(client, user, parseScope(query.scope ?? client.scope));
      return jsonAnswer(200, tokens);
    }
    const expected = `one of ${[...server.clients.keys()].join(', ')}`;
    throw refusedInput([{ member: 'client', sent: query.client, expected }]);
  },
});
