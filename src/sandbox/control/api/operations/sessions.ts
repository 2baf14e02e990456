import * as v from 'valibot';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { described, optional } from '../../described.ts';
import { unknownEntry } from '../../refusal.ts';
import { operation } from '../operation.ts';

const session = v.object({
  sid: v.string(),
  sub: v.string(),
  auth_time: described(v.number(), 'Unix seconds'),
  acr: v.string(),
  amr: v.array(v.string()),
  clients: described(v.array(v.string()), 'Clients that received a code or a token in this login'),
});

/** Logins that are alive in some browser. */
export const sessionOperations = [
  operation({
    name: 'listSessions',
    method: 'GET',
    path: '/sessions',
    summary: 'List active logins, newest first, at most 200',
    query: v.strictObject({ sub: optional(v.string(), 'Only logins of this user') }),
    answers: { 200: { description: 'Logins', schema: v.object({ sessions: v.array(session) }) } },
    run: async ({ query: { sub } }, { control }) => jsonAnswer(200, { sessions: await control.sessions(sub) }),
  }),
  operation({
    name: 'endSession',
    method: 'DELETE',
    path: '/sessions/{sid}',
    changes: true,
    summary: 'End a login as a logout does: its tokens end, and clients are notified',
    answers: {
      200: { description: 'The login has ended', schema: v.object({ sid: v.string(), ended: v.literal(true) }) },
      404: { description: 'No active login has this `sid`' },
    },
    async run({ path: { sid = '' } }, { control }) {
      if (await control.endSession(sid)) return jsonAnswer(200, { sid, ended: true });
      const sids = (await control.sessions()).map(each => each.sid);
      throw unknownEntry('session', sid, sids);
    },
  }),
];
