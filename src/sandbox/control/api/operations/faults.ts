import * as v from 'valibot';
import type { AskedFault, FaultKind } from '../../../../server/faults/fault.ts';
import { changingFaultNames, faultNames } from '../../../../server/faults/fault-names.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { described, object, optional, text } from '../../described.ts';
import { refusedInput, unknownEntry } from '../../refusal.ts';
import { duration } from '../duration-schema.ts';
import { operation } from '../operation.ts';

const order = {
  fault: described(
    v.string('the name of a fault'),
    `A fault of the catalogue: ${[...faultNames, ...changingFaultNames].join(', ')}`,
  ),
  endpoint: optional(
    v.string('the name of an endpoint'),
    'The endpoint, by its name in the log: `token`, `jwks`, `api`, …, or `any`',
  ),
  client: optional(v.string('a client_id'), 'Only requests of this client'),
  user: optional(v.string('a sub'), 'Only requests for this user'),
  times: optional(
    v.union([v.number(), v.literal('always')], 'a number, or always'),
    'Number of requests to affect, or `always`. Default: 1',
  ),
  token: optional(
    v.picklist(['access', 'id', 'logout', 'response', 'both']),
    'The token to change, for faults of tokens. Default: `access`',
  ),
  probability: optional(v.number('a number'), 'Probability for each request, up to 1'),
  for: optional(duration, 'Real time after which the fault ends'),
  seconds: optional(duration, 'Delay of the response, or the waiting time that the client is told'),
  error: optional(v.string('an error code'), 'The error code of the response'),
  member: optional(v.string('a name'), 'The member or claim to remove'),
  status: optional(v.number('a status'), 'The HTTP status of the response, 400 to 599'),
  change: optional(object, 'Members, claims or parameters to add or replace; null removes one'),
  header: optional(object, 'Members of the JOSE header to add or replace; null removes one'),
};

const armed = v.object({
  ...order,
  id: v.string(),
  endpoint: v.string(),
  times: described(
    v.union([v.number(), v.literal('always')]),
    'Number of requests that it will still affect, or `always`',
  ),
  holds: optional(v.number(), 'Number of requests that are held until the fault ends'),
  met: described(v.number(), 'Number of requests that it has affected'),
  armedAt: described(v.number(), 'Unix seconds of real time'),
  until: v.optional(v.number()),
  by: v.picklist(['api', 'dashboard', 'library']),
});

const kind = v.object({
  name: v.string(),
  place: v.string(),
  title: v.string(),
  about: v.string(),
  endpoint: text('Default endpoint'),
  endpoints: described(v.array(v.string()), 'Endpoints that support the fault; empty means all'),
  parameters: v.record(v.string(), v.union([v.string(), v.number(), object])),
});

/** Fault injection. */
export const faultOperations = [
  operation({
    name: 'listFaults',
    method: 'GET',
    path: '/faults',
    summary: 'List armed faults, oldest first',
    answers: { 200: { description: 'Armed faults', schema: v.object({ faults: v.array(armed) }) } },
    run: async (_input, { faults }) => jsonAnswer(200, { faults: (await faults()).list() }),
  }),
  operation({
    name: 'listFaultKinds',
    method: 'GET',
    path: '/faults/catalogue',
    summary: 'List all faults that can be armed',
    answers: { 200: { description: 'The catalogue', schema: v.object({ faults: v.array(kind) }) } },
    run: async (_input, { faults }) => jsonAnswer(200, { faults: (await faults()).catalogue().map(kindFacts) }),
  }),
  operation({
    name: 'armFault',
    method: 'POST',
    path: '/faults',
    changes: true,
    summary: 'Arm a fault for the next request, or for several',
    body: v.strictObject(order),
    answers: { 201: { description: 'The armed fault', schema: armed } },
    async run({ body }, { faults }) {
      const outcome = (await faults()).arm(body as AskedFault, 'api'); // its undefined members are absent in JSON
      if (!outcome.ok) throw refusedInput(outcome.problems);
      return jsonAnswer(201, outcome.fault);
    },
  }),
  operation({
    name: 'disarmFaults',
    method: 'DELETE',
    path: '/faults',
    changes: true,
    summary: 'Disarm all faults',
    answers: { 200: { description: 'Number of disarmed faults', schema: v.object({ disarmed: v.number() }) } },
    run: async (_input, { faults }) => jsonAnswer(200, { disarmed: (await faults()).disarmAll() }),
  }),
  operation({
    name: 'disarmFault',
    method: 'DELETE',
    path: '/faults/{id}',
    changes: true,
    summary: 'Disarm one fault',
    answers: { 200: { description: 'The fault is disarmed', schema: v.object({ disarmed: v.number() }) } },
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
