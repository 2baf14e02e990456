import * as v from 'valibot';
import { jsonAnswer } from '../../../http/answer.ts';
import { described, optional } from '../../described.ts';
import { operation } from '../operation.ts';
import { unknownEntry } from '../refusal.ts';

const session = v.object({
  sid: v.string(),
  sub: v.string(),
  auth_time: described(v.number(), 'Unix seconds'),
  acr: v.string(),
  amr: v.array(v.string()),
  clients: described(v.array(v.string()), 'Who has got something in it'),
});

/** Logins that are alive in some browser. */
export const sessionOperations = [
  operation({
    name: 'listSessions',
    method: 'GET',
    path: '/sessions',
    summary: 'List logins that are alive, the latest first; at most 200',
    query: v.strictObject({ sub: optional(v.string(), 'Only of this user') }),
    answers: { 200: { description: 'Logins', schema: v.object({ sessions: v.array(session) }) } },
    run: async ({ query: { sub } }, { control }) => jsonAnswer(200, { sessions: await control.sessions(sub) }),
  }),
  operation({
    name: 'endSession',
    method: 'DELETE',
    path: '/sessions/{sid}',
    summary: 'End a login as a logout would: what lived by it ends, clients are told',
    answers: {
      200: { description: 'It has ended', schema: v.object({ sid: v.string(), ended: v.literal(true) }) },
      404: { description: 'There is no such login' },
    },
    async run({ path: { sid = '' } }, { control }) {
      if (await control.endSession(sid)) return jsonAnswer(200, { sid, ended: true });
      const sids = (await control.sessions()).map(each => each.sid);
      throw unknownEntry('session', sid, sids);
    },
  }),
];
