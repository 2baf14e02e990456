import * as v from 'valibot';
import { resetParts } from '../../../events/configuration-events.ts';
import { jsonAnswer } from '../../../http/answer.ts';
import { operation } from '../operation.ts';

const scope = v.object({
  name: v.string(),
  description: v.string(),
  claims: v.pipe(v.array(v.string()), v.description('Released at UserInfo')),
  access_token_claims: v.record(v.string(), v.unknown()),
});
const collection = v.object({
  name: v.string(),
  path: v.string(),
  readScope: v.optional(v.string()),
  writeScope: v.optional(v.string()),
  fields: v.record(v.string(), v.unknown()),
  rows: v.pipe(v.number(), v.description('How many it starts with, and returns to')),
});
const setting = v.object({
  group: v.string(),
  name: v.string(),
  value: v.string(),
  from: v.string(),
  help: v.string(),
});

/** What the sandbox as a whole can be asked. */
export const sandboxOperations = [
  operation({
    name: 'reset',
    method: 'POST',
    path: '/reset',
    summary: 'Bring the issuer back to its start: everything but its keys, or one part',
    body: v.strictObject({
      part: v.optional(
        v.pipe(
          v.picklist(resetParts),
          v.description(
            'history: events. configuration: clients, users, scopes. resources: rows of the sample backend. sessions: logins, as logouts would. clock: the real time',
          ),
        ),
      ),
    }),
    answers: { 200: { description: 'What was reset', schema: v.object({ reset: v.string() }) } },
    async run({ body: { part } }, { control }) {
      await control.reset(part);
      return jsonAnswer(200, { reset: part ?? 'everything' });
    },
  }),
  operation({
    name: 'listScopes',
    method: 'GET',
    path: '/scopes',
    summary: 'List the scopes that are known now',
    answers: { 200: { description: 'Scopes', schema: v.object({ scopes: v.array(scope) }) } },
    run: async (_input, { server }) => jsonAnswer(200, { scopes: [...server.scopes.values()] }),
  }),
  operation({
    name: 'listResources',
    method: 'GET',
    path: '/resources',
    summary: 'List the collections of the sample backend; POST /reset with part resources brings their rows back',
    answers: { 200: { description: 'Collections', schema: v.object({ resources: v.array(collection) }) } },
    async run(_input, { config, server }) {
      const base = new URL(server.issuer).pathname.replace(/\/$/, '');
      const facts = config.collections.map(({ name, readScope, writeScope, fields, seed }) => ({
        ...{ name, path: `${base}/api/${name}`, fields, rows: seed.length },
        ...(readScope === undefined ? {} : { readScope }),
        ...(writeScope === undefined ? {} : { writeScope }),
      }));
      return jsonAnswer(200, { resources: facts });
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
