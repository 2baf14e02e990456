import * as v from 'valibot';
import { defined } from '../../../defined.ts';
import { jsonAnswer } from '../../../http/answer.ts';
import { invalidRequest } from '../../../oauth/errors.ts';
import { described, optional, text } from '../../described.ts';
import type { ShortLivedIssuers } from '../../short-lived.ts';
import { shortLivedMembers } from '../../short-lived-options.ts';
import type { Controlled } from '../controlled.ts';
import { operation } from '../operation.ts';
import { unknownEntry } from '../refusal.ts';

const told = v.object({
  id: v.string(),
  issuer: text('The issuer identifier: what clients are configured with'),
  createdAt: described(v.number(), 'Unix seconds of real time'),
  expiresAt: described(v.number(), 'Unix seconds of real time: until then it lives'),
  dashboard: optional(v.string(), 'The address of its dashboard; absent where it has none'),
});

const asked = v.strictObject({
  ...shortLivedMembers,
  config: optional(
    v.record(v.string(), v.unknown(), 'an object'),
    'What it has of its own, by the names of the configuration: `clients`, `users`, `codeLifetime`; the rest is as with the first issuer',
  ),
});

/** Issuers that come and go, so that tests that run at once do not disturb each other. */
export const issuerOperations = [
  operation({
    name: 'createIssuer',
    method: 'POST',
    path: '/issuers',
    summary: 'Make an issuer with clients, users, clock, events and sample backend of its own, for a while',
    body: asked,
    answers: {
      201: { description: 'It answers from now on', schema: told },
      409: { description: 'An issuer with this id lives' },
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
    summary: 'Issuers that were made, and live',
    answers: { 200: { description: 'The oldest first', schema: v.object({ issuers: v.array(told) }) } },
    run: async (_input, controlled) => jsonAnswer(200, { issuers: (await issuersOf(controlled)).list() }),
  }),
  operation({
    name: 'deleteIssuer',
    method: 'DELETE',
    path: '/issuers/{id}',
    summary: 'End an issuer that was made, with everything it knows',
    answers: { 204: { description: 'It is no more, and its path answers 410' } },
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
  const { origin, pathname } = new URL(server.issuer);
  throw invalidRequest('control_entry_unknown', 'issuers are made by the first one only', {
    status: 404,
    sent: `${pathname}/_sandbox/issuers`,
    expected: `${origin}/_sandbox/issuers`,
  });
}
