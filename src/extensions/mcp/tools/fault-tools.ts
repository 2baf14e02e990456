import * as v from 'valibot';
import { described, optional } from '../../../sandbox/control/described.ts';
import { tool } from '../tool.ts';
import { listIn, text } from './members.ts';

const armed = v.looseObject({
  id: v.string(),
  fault: v.string(),
  endpoint: v.string(),
  met: described(v.number(), 'Number of requests that it has affected'),
});
const kind = v.looseObject({
  name: v.string(),
  title: v.string(),
  about: v.string(),
  endpoint: text('Default endpoint'),
});

/** Errors on purpose. */
export const faultTools = [
  tool({
    name: 'list_faults',
    title: 'List faults',
    description: 'Lists armed faults, and the catalogue of faults that can be armed.',
    effect: 'reads',
    input: v.strictObject({}),
    output: v.object({ armed: v.array(armed), catalogue: v.array(kind) }),
    async run(_input, sandbox) {
      const [now, all] = await Promise.all([
        sandbox.ask({ path: '/faults' }),
        sandbox.ask({ path: '/faults/catalogue' }),
      ]);
      return { armed: listIn(now, 'faults'), catalogue: listIn(all, 'faults') };
    },
  }),
  tool({
    name: 'arm_fault',
    title: 'Arm a fault',
    description:
      'Makes the next request, or several, fail on purpose, to test how an application reacts. list_faults has the names and their parameters.',
    effect: 'adds',
    input: v.strictObject({
      fault: described(v.string(), 'A name of the catalogue: slow, unavailable, token_error, expired, …'),
      endpoint: optional(v.string(), '`token`, `jwks`, `api`, …, or `any`'),
      client: optional(v.string(), 'Only requests of this client'),
      user: optional(v.string(), 'Only requests for this user'),
      times: optional(v.union([v.number(), v.literal('always')]), 'Number of requests. Default: 1'),
      for: optional(v.string(), 'Real time after which it ends: 30s, 5m'),
      seconds: optional(v.number(), 'Delay, or Retry-After'),
      error: optional(v.string(), 'The error code of the answer'),
      member: optional(v.string(), 'The member or claim to remove'),
      status: optional(v.number(), 'The HTTP status, 400 to 599'),
      token: optional(v.picklist(['access', 'id', 'both']), 'The token to change'),
    }),
    output: armed,
    run: (body, sandbox) => sandbox.ask({ method: 'POST', path: '/faults', body }),
  }),
  tool({
    name: 'disarm_faults',
    title: 'Disarm faults',
    description: 'Disarms one fault, or all of them.',
    effect: 'replaces',
    isRepeatable: true,
    input: v.strictObject({ id: optional(v.string(), 'The id of a fault. Default: all') }),
    output: v.object({ disarmed: v.number() }),
    run({ id }, sandbox) {
      const path = id === undefined ? '/faults' : `/faults/${encodeURIComponent(id)}`;
      return sandbox.ask({ method: 'DELETE', path });
    },
  }),
];
