import * as v from 'valibot';
import { resetParts } from '../../../../base/events/configuration-events.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { optional } from '../../described.ts';
import { operation } from '../operation.ts';

const setting = v.object({
  group: v.string(),
  name: v.string(),
  value: v.string(),
  from: v.string(),
  help: v.string(),
});

/** Operations on the sandbox as a whole. */
export const sandboxOperations = [
  operation({
    name: 'reset',
    method: 'POST',
    path: '/reset',
    changes: 'makes room',
    summary: 'Reset the issuer to its start, except its keys, or reset one part',
    body: v.strictObject({
      part: optional(
        v.picklist(resetParts),
        'The part to reset. history: events. configuration: clients, users, scopes, collections, rules for claims. resources: rows of the sample backend. sessions: all logins end. clock: the real time',
      ),
    }),
    answers: { 200: { description: 'The part that was reset', schema: v.object({ reset: v.string() }) } },
    async run({ body: { part } }, { control }) {
      await control.reset(part);
      return jsonAnswer(200, { reset: part ?? 'everything' });
    },
  }),
  operation({
    name: 'listSettings',
    method: 'GET',
    path: '/settings',
    summary: 'List the settings in effect and the source of each; secrets are ***',
    answers: { 200: { description: 'Settings', schema: v.object({ settings: v.array(setting) }) } },
    run: async (_input, { config }) => jsonAnswer(200, { settings: await config.settings() }),
  }),
];
