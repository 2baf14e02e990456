import * as v from 'valibot';
import type { AskedFault, FaultKind } from '../../../faults/fault.ts';
import { faultNames } from '../../../faults/fault-names.ts';
import { jsonAnswer } from '../../../http/answer.ts';
import { described, optional, text } from '../../described.ts';
import { duration } from '../duration-schema.ts';
import { operation } from '../operation.ts';
import { refusedInput, unknownEntry } from '../refusal.ts';

const order = {
  fault: described(v.string('the name of a fault'), `Of the catalogue: ${faultNames.join(', ')}`),
  endpoint: optional(v.string('the name of an endpoint'), 'As the log calls it: `token`, `jwks`, `api`, …, or `any`'),
  client: optional(v.string('a client_id'), 'Only requests of this client'),
  user: optional(v.string('a sub'), 'Only requests for this user'),
  times: optional(
    v.union([v.number(), v.literal('always')], 'a number, or always'),
    'How many requests it meets; default 1, `always` for no end',
  ),
  token: optional(v.picklist(['access', 'id', 'both']), 'Which token it bends, of a fault of tokens; default `access`'),
  probability: optional(v.number('a number'), 'Of meeting a request, up to 1'),
  for: optional(duration, 'Real time until it is over'),
  seconds: optional(duration, 'How long it waits, or has the client wait'),
  error: optional(v.string('an error code'), 'The error code it answers with'),
  member: optional(v.string('a name'), 'The member or claim it leaves out'),
  status: optional(v.number('a status'), 'The HTTP status it answers with, 400 to 599'),
};

const armed = v.object({
  ...order,
  id: v.string(),
  endpoint: v.string(),
  times: described(v.union([v.number(), v.literal('always')]), 'How many requests it will still meet'),
  holds: optional(v.number(), 'How many requests wait for it to be over'),
  met: described(v.number(), 'How many requests it has met'),
  armedAt: described(v.number(), 'Unix seconds of real time'),
  until: v.optional(v.number()),
  by: v.picklist(['api', 'dashboard', 'library']),
});

const kind = v.object({
  name: v.string(),
  place: v.string(),
  title: v.string(),
  about: v.string(),
  endpoint: text('Where it is armed when nobody says another'),
  endpoints: described(v.array(v.string()), 'Where it can be armed; empty: anywhere'),
  parameters: v.record(v.string(), v.union([v.string(), v.number()])),
});

/** Fault injection. */
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
    run: async (_input, { faults }) => jsonAnswer(200, { faults: (await faults()).catalogue().map(kindFacts) }),
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

function kindFacts({ effect: _, tokens: __, ...facts }: FaultKind): object {
  return facts;
}
