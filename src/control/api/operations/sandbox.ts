import * as v from 'valibot';
import { resetParts } from '../../../events/configuration-events.ts';
import { jsonAnswer } from '../../../http/answer.ts';
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
    summary: 'Bring the issuer back to its start: everything but its keys, or one part',
    body: v.strictObject({
      part: optional(
        v.picklist(resetParts),
        'history: events. configuration: clients, users, scopes, collections. resources: rows of the sample backend. sessions: logins, as logouts would. clock: the real time',
      ),
    }),
    answers: { 200: { description: 'What was reset', schema: v.object({ reset: v.string() }) } },
    async run({ body: { part } }, { control }) {
      await control.reset(part);
      return jsonAnswer(200, { reset: part ?? 'everything' });
    },
  }),
  operation({
    name: 'listSettings',
    method: 'GET',
    path: '/settings',
    summary: 'List the settings in effect and where each is from; secrets are ***',
    answers: { 200: { description: 'Settings', schema: v.object({ settings: v.array(setting) }) } },
    run: async (_input, { config }) => jsonAnswer(200, { settings: await config.settings() }),
  }),
];
