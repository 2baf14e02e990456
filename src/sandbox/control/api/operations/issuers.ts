import * as v from 'valibot';
import { defined } from '../../../../base/defined.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { described, optional, text } from '../../described.ts';
import { onlyAtTheFirst, unknownEntry } from '../../refusal.ts';
import type { ShortLivedIssuers } from '../../short-lived.ts';
import { shortLivedMembers } from '../../short-lived-options.ts';
import type { Controlled } from '../controlled.ts';
import { operation } from '../operation.ts';

const told = v.object({
  id: v.string(),
  issuer: text('The issuer identifier, which clients are configured with'),
  createdAt: described(v.number(), 'Unix seconds of real time'),
  expiresAt: described(v.number(), 'Unix seconds of real time at which the issuer ends'),
  dashboard: optional(v.string(), 'The address of its dashboard; absent if it has none'),
});

const asked = v.strictObject({
  ...shortLivedMembers,
  config: optional(
    v.record(v.string(), v.unknown(), 'an object'),
    'Configuration of this issuer by member: `clients`, `users`, `codeLifetime`. Other members are those of the first issuer',
  ),
});

/** Issuers that come and go, so that tests that run at once do not disturb each other. */
export const issuerOperations = [
  operation({
    name: 'createIssuer',
    method: 'POST',
    path: '/issuers',
    changes: true,
    summary: 'Create an issuer for a limited time, with its own clients, users, clock, events and sample backend',
    body: asked,
    answers: {
      201: { description: 'The issuer is ready', schema: told },
      409: { description: 'An issuer with this id exists' },
    },
    async run({ body: { config = {}, ...options } }, controlled) {
      const issuers = await issuersOf(controlled);
      const made = await issuers.create(config, defined(options));
      return jsonAnswer(201, made, { Location: made.issuer });
    },
  }),
  operation({
    name: 'listIssuers',
    method: 'GET',
    path: '/issuers',
    summary: 'List the issuers that were created and have not ended',
    answers: { 200: { description: 'The issuers, oldest first', schema: v.object({ issuers: v.array(told) }) } },
    run: async (_input, controlled) => jsonAnswer(200, { issuers: (await issuersOf(controlled)).list() }),
  }),
  operation({
    name: 'deleteIssuer',
    method: 'DELETE',
    path: '/issuers/{id}',
    changes: true,
    summary: 'End an issuer that was created, and delete its data',
    answers: { 204: { description: 'The issuer has ended, and its path answers 410' } },
    async run({ path: { id = '' } }, controlled) {
      const issuers = await issuersOf(controlled);
      if (issuers.delete(id, 'api')) return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: '' };
      throw unknownEntry(
        'issuer',
        id,
        issuers.list().map(each => each.id),
      );
    },
  }),
];

/** @throws invalid_request at an issuer that makes none: they would be within one another */
function issuersOf({ issuers, server }: Controlled): Promise<ShortLivedIssuers> {
  if (issuers !== undefined) return issuers();
  throw onlyAtTheFirst(server, 'issuers', 'only the first issuer can create issuers');
}
