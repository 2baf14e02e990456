import * as v from 'valibot';
import { resetParts } from '../../../../base/events/configuration-events.ts';
import { version } from '../../../../package.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { optional, text } from '../../described.ts';
import type { Controlled } from '../controlled.ts';
import { openapiDocument } from '../openapi.ts';
import { type Operation, operation } from '../operation.ts';

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
        'The part to reset. history: events. configuration: clients, users, scopes, collections, rules for claims. resources: rows of the sample backend. sessions: all sign-ins end. clock: the real time',
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

const row = v.object({
  name: v.string(),
  method: v.string(),
  href: text('The path, with variables in braces'),
  summary: v.string(),
});

/** Operations that describe the API. `all` are all operations, including these two. */
export function describingOperations(all: () => readonly Operation[]): readonly Operation[] {
  return [
    operation({
      name: 'listOperations',
      method: 'GET',
      path: '',
      summary: 'List all operations, with links',
      answers: {
        200: {
          description: 'The operations, and the address of their full description',
          schema: v.object({
            issuer: text('The issuer identifier, which clients are configured with'),
            openapi: v.string(),
            operations: v.array(row),
          }),
        },
      },
      async run(_input, controlled) {
        const base = baseOf(controlled);
        const rows = all().map(({ name, method, path, summary }) => ({ name, method, href: base + path, summary }));
        const { issuer } = controlled.server;
        return jsonAnswer(200, { issuer, openapi: `${base}/openapi.json`, operations: rows });
      },
    }),
    operation({
      name: 'getOpenapi',
      method: 'GET',
      path: '/openapi.json',
      summary: 'Read this document: OpenAPI 3.1, made from the schemas that check requests',
      isOpen: true,
      answers: { 200: { description: 'The document', schema: v.looseObject({ openapi: v.literal('3.1.0') }) } },
      async run(_input, controlled) {
        const { config } = controlled;
        const facts = { server: baseOf(controlled), version, label: config.label };
        return jsonAnswer(200, openapiDocument(all(), { ...facts, needsToken: config.controlToken !== undefined }));
      },
    }),
  ];
}

function baseOf({ server }: Pick<Controlled, 'server'>): string {
  return `${server.issuer.replace(/\/$/, '')}/_sandbox`;
}
