import * as v from 'valibot';
import { isRecord } from '../../../base/text/record.ts';
import { described, optional } from '../../../sandbox/control/described.ts';
import { maskedEvent } from '../masked.ts';
import { tool } from '../tool.ts';
import { count, listIn, pathWith, query } from './members.ts';

const event = v.looseObject({ id: v.number(), at: v.number(), requestId: v.string(), type: v.string() });
const type = optional(v.string(), 'Event types, separated by commas: `token.issued,error.returned`');
const id = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The log. */
export const eventTools = [
  tool({
    name: 'list_events',
    title: 'List events',
    description:
      'Lists events of the log, oldest first: requests, logins, tokens, refusals, changes. `last_id` is the `after` of the next call.',
    effect: 'reads',
    input: v.strictObject({
      q: query,
      type,
      after: optional(id, 'Only events after this id. Default: the newest events'),
      limit: count(200, 50),
    }),
    output: v.object({ events: v.array(event), last_id: v.number(), complete: v.boolean() }),
    async run({ limit = 50, ...asked }, sandbox) {
      const found = await sandbox.ask({ path: pathWith('/events', { ...asked, limit }) });
      const { last_id, complete } = found as { readonly last_id: number; readonly complete: boolean };
      return { events: listIn(found, 'events').map(maskedEvent), last_id, complete };
    },
  }),
  tool({
    name: 'wait_for_event',
    title: 'Wait for an event',
    description:
      'Waits for the first matching event, in the history after `after` or in the future. Call list_events first, start the login or the test, and wait with its `last_id`.',
    effect: 'reads',
    input: v.strictObject({
      q: query,
      type,
      after: optional(id, 'Only events after this id'),
      seconds: optional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(60)),
        'Longest time to wait, at most 60. Default: 20',
      ),
    }),
    output: v.object({
      happened: described(v.boolean(), 'False if no matching event arrived in time'),
      event: v.optional(event),
    }),
    async run({ seconds = 20, ...asked }, sandbox) {
      const path = pathWith('/events/wait', { ...asked, timeout: seconds });
      const found = await sandbox.ask({ path, timeoutSeconds: seconds + 10 });
      return isRecord(found) ? { happened: true, event: maskedEvent(found.event) } : { happened: false };
    },
  }),
];
