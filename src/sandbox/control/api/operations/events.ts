import * as v from 'valibot';
import { defined } from '../../../../base/defined.ts';
import { inTurns } from '../../../../base/turns.ts';
import { OAuthError } from '../../../../protocol/errors.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { described, optional } from '../../described.ts';
import { eventFilter } from '../../events/event-filter.ts';
import { eventJson } from '../../events/event-json.ts';
import { placeIn, type StreamPlace, streamEvents } from '../../events/event-stream.ts';
import { findEvents } from '../../events/find-events.ts';
import { nextEvent } from '../../events/next-event.ts';
import { operation } from '../operation.ts';
import { duration, wholeNumber, yesOrNo } from '../query-values.ts';

const filter = {
  q: optional(
    v.string(),
    'As in the dashboard: `client:frontend status:4xx -code:pkce_mismatch age:<5m`. Operators: type, client, user, endpoint, method, path, status, ms, code, scope, token, authorization, request, grant, header.<name>, body, member.<name>, claim.<path>, before, after, age. A free word is searched in every text of the event. An unknown operator is an error',
  ),
  type: optional(v.string(), 'Event types, separated by commas: `token.issued,code.issued`'),
  exchange: v.optional(yesOrNo('Include headers and bodies of requests, with their secrets')),
};
const last = Number.MAX_SAFE_INTEGER;
const event = described(
  v.looseObject({ id: v.number(), at: v.number(), requestId: v.string(), type: v.string() }),
  '`id` counts up, `at` is in Unix seconds; the other members depend on `type`',
);
const misunderstood = { description: 'The query has an error, or a value is out of range' };

/** Reading, awaiting and following events. */
export const eventOperations = [
  operation({
    name: 'listEvents',
    method: 'GET',
    path: '/events',
    summary: 'List events, oldest first',
    query: v.strictObject({
      ...filter,
      after: v.optional(wholeNumber(0, last, 'Only events after this id, oldest first. Default: the newest events')),
      limit: v.optional(wholeNumber(1, 1000, 'Most entries to return. Default: 100')),
    }),
    answers: {
      200: {
        description:
          'Events. Use `last_id` as `after` of the next call; `complete` is false if older events are no longer in the history',
        schema: v.object({ events: v.array(event), last_id: v.number(), complete: v.boolean() }),
      },
      400: misunderstood,
    },
    async run({ query: { after, limit = 100, exchange = false, ...asked } }, { events, server, eventTypes }) {
      const wanted = eventFilter(asked, server.clock(), eventTypes);
      const { found, ...place } = await inTurns(findEvents(events, { wanted, after, limit }));
      return jsonAnswer(200, { events: found.map(each => eventJson(each, exchange)), ...place });
    },
  }),
  operation({
    name: 'waitForEvent',
    method: 'GET',
    path: '/events/wait',
    summary: 'Wait for the first matching event, in the history or in the future',
    isLong: true,
    query: v.strictObject({
      ...filter,
      after: v.optional(
        wholeNumber(0, last, 'Only events after this id, for example the `last_id` from before the test'),
      ),
      timeout: v.optional(duration(0, 60, 'Longest time to wait: 20, 20s or 1m. Default: 10 s')),
    }),
    answers: {
      200: { description: 'The event', schema: v.object({ event, last_id: v.number() }) },
      204: { description: 'No matching event arrived in time' },
      400: misunderstood,
      503: { description: 'The sandbox is stopping, or too many callers are waiting' },
    },
    async run({ query: { after, timeout = 10, exchange = false, ...asked }, signal }, { events, server, eventTypes }) {
      const wanted = eventFilter(asked, server.clock(), eventTypes);
      const found = await nextEvent(events, wanted, { timeout, signal, ...defined({ after }) });
      if (found !== undefined) return jsonAnswer(200, { event: eventJson(found, exchange), last_id: found.id });
      if (signal.reason === 'stopping') throw stopping();
      return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: '' };
    },
  }),
  operation({
    name: 'streamEvents',
    method: 'GET',
    path: '/events/stream',
    summary: 'Follow events as server-sent events; Last-Event-ID resumes',
    isLong: true,
    query: v.strictObject({
      ...filter,
      after: v.optional(wholeNumber(0, last, 'Send events after this id first. Default: only new events')),
    }),
    answers: {
      200: {
        description:
          'Frames with `id` (for Last-Event-ID), `event` (its type) and `data` (JSON). Two events have no id: `gap` says that events after the id in its `data` (`{ "after": 12 }`) are forgotten; `start` says that Last-Event-ID is of an earlier start of the sandbox, and that all events of this one follow',
        type: 'text/event-stream',
      },
      400: misunderstood,
      503: { description: 'Too many callers are waiting' },
    },
    async run({ query: { after, exchange = false, ...asked }, req, signal }, { events, server, eventTypes }) {
      const wanted = eventFilter(asked, server.clock(), eventTypes);
      const from = resumedAt(req.headers['last-event-id']) ?? (after === undefined ? undefined : { id: after });
      return {
        stream: res => streamEvents(events, { wanted, after: from, withExchange: exchange, signal }, res),
      };
    },
  }),
];

function resumedAt(header: string | readonly string[] | undefined): StreamPlace | undefined {
  return typeof header === 'string' ? placeIn(header) : undefined;
}

function stopping(): OAuthError {
  const headers = { Connection: 'close' }; // or its socket would keep the stop waiting
  const details = { sent: 'a wait for an event', expected: 'a different sandbox: this one is stopping', headers };
  return new OAuthError('temporarily_unavailable', 'control_busy', 'the sandbox is stopping', details);
}
