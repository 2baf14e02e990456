import * as v from 'valibot';
import { expectedName } from '../../../../base/text/nearest.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { type Breakpoints, longestHold, mostBreakpoints } from '../../../../server/http/breakpoints.ts';
import { described, optional, text } from '../../described.ts';
import { refusedInput, unknownEntry } from '../../refusal.ts';
import { operation } from '../operation.ts';

const times = v.picklist(['once', 'always']);
const seconds = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(longestHold));

const breakpoint = v.object({
  id: v.string(),
  endpoint: v.string(),
  times,
  seconds: v.number(),
});

const held = v.object({
  requestId: v.string(),
  breakpointId: v.string(),
  endpoint: v.string(),
  method: v.string(),
  path: v.string(),
  status: v.number(),
  location: optional(v.string(), 'The address that a redirect leads to'),
  heldAt: described(v.number(), 'Unix seconds of real time'),
  until: described(v.number(), 'Unix seconds of real time at which it continues by itself'),
});

/** Breakpoints: a finished response waits until somebody lets it go, so that there is time to look. */
export const breakpointOperations = [
  operation({
    name: 'listBreakpoints',
    method: 'GET',
    path: '/breakpoints',
    summary: 'List breakpoints, and the responses that they hold',
    answers: {
      200: { description: 'Both', schema: v.object({ breakpoints: v.array(breakpoint), held: v.array(held) }) },
    },
    async run(_input, { breakpoints }) {
      const all = await breakpoints();
      return jsonAnswer(200, { breakpoints: all.list(), held: all.held() });
    },
  }),
  operation({
    name: 'setBreakpoint',
    method: 'POST',
    path: '/breakpoints',
    summary: 'Hold the next response of an endpoint, or each of them, until it is continued',
    body: v.strictObject({
      endpoint: text(
        'The endpoint by its name in the log: `token`, `authorize`, …; `redirect`: back to a client; `any`',
      ),
      times: optional(times, 'Default: `once`'),
      seconds: optional(
        seconds,
        `Seconds after which a response continues by itself, up to ${longestHold}. Default: 600`,
      ),
    }),
    answers: { 201: { description: 'The breakpoint', schema: breakpoint } },
    async run({ body }, { breakpoints }) {
      const all = await breakpoints();
      requireEndpoint(all, body.endpoint);
      const made = all.set(body);
      if (made !== undefined) return jsonAnswer(201, made);
      const expected = `at most ${mostBreakpoints} at a time; remove some (DELETE /_sandbox/breakpoints)`;
      throw refusedInput([{ member: 'endpoint', sent: body.endpoint, expected }]);
    },
  }),
  operation({
    name: 'continueResponses',
    method: 'POST',
    path: '/breakpoints/continue',
    summary: 'Let held responses go',
    body: v.strictObject({ request: optional(v.string(), 'The `requestId` of one response. Default: all of them') }),
    answers: { 200: { description: 'Their number', schema: v.object({ continued: v.number() }) } },
    async run({ body: { request } }, { breakpoints }) {
      const all = await breakpoints();
      const known = all.held().map(({ requestId }) => requestId);
      const continued = all.continue(request);
      if (request !== undefined && continued === 0) throw unknownEntry('held response', request, known);
      return jsonAnswer(200, { continued });
    },
  }),
  operation({
    name: 'removeBreakpoints',
    method: 'DELETE',
    path: '/breakpoints',
    summary: 'Remove all breakpoints, and let all held responses go',
    answers: { 200: { description: 'Number of removed breakpoints', schema: v.object({ removed: v.number() }) } },
    run: async (_input, { breakpoints }) => jsonAnswer(200, { removed: (await breakpoints()).clear() }),
  }),
  operation({
    name: 'removeBreakpoint',
    method: 'DELETE',
    path: '/breakpoints/{id}',
    summary: 'Remove one breakpoint, and let its responses go',
    answers: { 200: { description: 'The breakpoint is removed', schema: v.object({ removed: v.number() }) } },
    async run({ path: { id = '' } }, { breakpoints }) {
      const all = await breakpoints();
      const known = all.list().map(each => each.id);
      if (!all.remove(id)) throw unknownEntry('breakpoint', id, known);
      return jsonAnswer(200, { removed: 1 });
    },
  }),
];

function requireEndpoint({ endpoints }: Breakpoints, sent: string): void {
  const known = [...endpoints, 'any'];
  if (!known.includes(sent)) throw refusedInput([{ member: 'endpoint', sent, expected: expectedName(sent, known) }]);
}
