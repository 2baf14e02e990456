import * as v from 'valibot';
import { jsonAnswer } from '../../../http/answer.ts';
import { version } from '../../../package.ts';
import { text } from '../../described.ts';
import type { Controlled } from '../controlled.ts';
import { openapiDocument } from '../openapi.ts';
import { type Operation, operation } from '../operation.ts';

const row = v.object({
  name: v.string(),
  method: v.string(),
  href: text('With names in braces where the path has any'),
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
          description: 'Operations, and where their full description is',
          schema: v.object({
            issuer: text('The issuer identifier: what clients are configured with'),
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
      summary: 'This document: OpenAPI 3.1, from the schemas that check what is sent',
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
