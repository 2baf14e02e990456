import * as v from 'valibot';
import type { AskedFault, FaultKind } from '../../../faults/fault.ts';
import { faultNames } from '../../../faults/fault-names.ts';
import { jsonAnswer } from '../../../http/answer.ts';
import { duration } from '../duration-schema.ts';
import { operation } from '../operation.ts';
import { refusedInput, unknownEntry } from '../refusal.ts';

const order = {
  fault: v.pipe(v.string('the name of a fault'), v.description(`Of the catalogue: ${faultNames.join(', ')}`)),
  endpoint: v.optional(
    v.pipe(
      v.string('the name of an endpoint'),
      v.description('As the log calls it: `token`, `jwks`, `api`, …, or `any`'),
    ),
  ),
  client: v.optional(v.pipe(v.string('a client_id'), v.description('Only requests of this client'))),
  user: v.optional(v.pipe(v.string('a sub'), v.description('Only requests for this user'))),
  times: v.optional(
    v.pipe(
      v.union([v.number(), v.literal('always')], 'a number, or always'),
      v.description('How many requests it meets; default 1, `always` for no end'),
    ),
  ),
  token: v.optional(
    v.pipe(
      v.picklist(['access', 'id', 'both']),
      v.description('Which token it bends, of a fault of tokens; default `access`'),
    ),
  ),
  probability: v.optional(v.pipe(v.number('a number'), v.description('Of meeting a request, up to 1'))),
  for: v.optional(v.pipe(duration, v.description('Real time until it is over'))),
  seconds: v.optional(v.pipe(duration, v.description('How long it waits, or has the client wait'))),
  error: v.optional(v.pipe(v.string('an error code'), v.description('The error code it answers with'))),
  member: v.optional(v.pipe(v.string('a name'), v.description('The member or claim it leaves out'))),
  status: v.optional(v.pipe(v.number('a status'), v.description('The HTTP status it answers with, 400 to 599'))),
};

const armed = v.object({
  ...order,
  id: v.string(),
  endpoint: v.string(),
  times: v.pipe(v.union([v.number(), v.literal('always')]), v.description('How many requests it will still meet')),
  holds: v.optional(v.pipe(v.number(), v.description('How many requests wait for it to be over'))),
  met: v.pipe(v.number(), v.description('How many requests it has met')),
  armedAt: v.pipe(v.number(), v.description('Unix seconds of real time')),
  until: v.optional(v.number()),
  by: v.picklist(['api', 'dashboard', 'library']),
});

const kind = v.object({
  name: v.string(),
  place: v.string(),
  title: v.string(),
  about: v.string(),
  endpoint: v.pipe(v.string(), v.description('Where it is armed when nobody says another')),
  endpoints: v.pipe(v.array(v.string()), v.description('Where it can be armed; empty: anywhere')),
  parameters: v.record(v.string(), v.union([v.string(), v.number()])),
});

/** What goes wrong on purpose. */
export const faultOperations = [
  operation({
    name: 'listFaults',
    method: 'GET',
    path: '/faults',
    summary: 'What is armed, in the order in which it was',
    answers: { 200: { description: 'Armed faults', schema: v.object({ faults: v.array(armed) }) } },
    run: async (_input, { faults }) => jsonAnswer(200, { faults: (await faults()).list() }),
  }),
  operation({
    name: 'listFaultKinds',
    method: 'GET',
    path: '/faults/catalogue',
    summary: 'All that can be made to go wrong',
    answers: { 200: { description: 'The catalogue', schema: v.object({ faults: v.array(kind) }) } },
    run: async (_input, { faults }) => jsonAnswer(200, { faults: (await faults()).catalogue().map(described) }),
  }),
  operation({
    name: 'armFault',
    method: 'POST',
    path: '/faults',
    summary: 'Has the next requests go wrong: one, unless you say how many',
    body: v.strictObject(order),
    answers: { 201: { description: 'It is armed', schema: armed } },
    async run({ body }, { faults }) {
      const outcome = (await faults()).arm(body as AskedFault, 'api'); // its undefined members are absent in JSON
      if (!outcome.ok) throw refusedInput(outcome.faults);
      return jsonAnswer(201, outcome.fault);
    },
  }),
  operation({
    name: 'disarmFaults',
    method: 'DELETE',
    path: '/faults',
    summary: 'Nothing goes wrong any more',
    answers: { 200: { description: 'How many there were', schema: v.object({ disarmed: v.number() }) } },
    run: async (_input, { faults }) => jsonAnswer(200, { disarmed: (await faults()).disarmAll() }),
  }),
  operation({
    name: 'disarmFault',
    method: 'DELETE',
    path: '/faults/{id}',
    summary: 'This one is over',
    answers: { 200: { description: 'It is disarmed', schema: v.object({ disarmed: v.number() }) } },
    async run({ path: { id = '' } }, { faults }) {
      const control = await faults();
      const known = control.list().map(each => each.id);
      if (!control.disarm(id)) throw unknownEntry('fault', id, known);
      return jsonAnswer(200, { disarmed: 1 });
    },
  }),
];

function described({ effect: _, tokens: __, ...facts }: FaultKind): object {
  return facts;
}
