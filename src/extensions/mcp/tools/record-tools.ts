import * as v from 'valibot';
import { isRecord, recordIn } from '../../../base/text/record.ts';
import { described, optional } from '../../../sandbox/control/described.ts';
import { maskedEvent, shortText } from '../masked.ts';
import type { SandboxCalls } from '../sandbox-calls.ts';
import { count, listIn, moment, noneAbove, pathWith, query, text, tool } from '../tool.ts';

const flow = v.looseObject({
  id: text('`flow_…`'),
  kind: text('`authorization_code`, `client_credentials`, `device`, `logout`, …'),
  status: text('`open`: more requests may follow. `ok`, `failed`, `abandoned`'),
  client_id: v.optional(v.string()),
  sub: v.optional(v.string()),
  startedAt: moment('The start of its first request'),
});

const listedFlow = v.looseObject({
  ...flow.entries,
  steps: text('`6/10`: steps that were reached, of all steps'),
  missing: optional(v.string(), 'The first step that was not reached'),
  refusal: optional(v.looseObject({}), 'The last refusal: its error, reason and description'),
});

const exchanged = v.looseObject({ requestId: v.string(), events: v.array(v.looseObject({})) });

/** Logins, token requests and logouts, step by step. */
export const flowTools = [
  tool({
    name: 'list_flows',
    title: 'List flows',
    description:
      'Lists flows, newest first: each sign-in, token request, device request and logout with its outcome and the step that is missing.',
    effect: 'reads',
    input: v.strictObject({
      q: optional(
        v.string(),
        'A search: `client:frontend status:failed kind:device user:alice code:invalid_grant age:<5m`',
      ),
      limit: count(50),
    }),
    output: v.object({ flows: v.array(listedFlow) }),
    async run({ q, limit = 20 }, sandbox) {
      const found = await sandbox.dashboard(pathWith('/api/v1/flows', { q, limit }));
      const problems = found?.problems;
      if (Array.isArray(problems) && problems.length > 0) throw new TypeError(`q: ${problems.join(' ')}`);
      return { flows: listIn(found, 'flows') };
    },
  }),
  tool({
    name: 'read_flow',
    title: 'Read a flow',
    description:
      'Reads one flow with all its requests and responses, without secrets: to see what each side sent and where it stopped. Long bodies are cut.',
    effect: 'reads',
    input: v.strictObject({ id: optional(v.string(), '`flow_…`, or `latest`. Default: latest') }),
    output: v.object({
      flow: v.looseObject(flow.entries),
      requests: v.array(v.looseObject({ requestId: v.string() })),
    }),
    async run({ id = 'latest' }, sandbox) {
      const wanted = id === 'latest' ? await newestFlow(sandbox) : id;
      const file = await sandbox.text(`/dashboard/flows/${encodeURIComponent(wanted)}/export/json`);
      if (file === undefined) throw noneAbove(`no flow ${JSON.stringify(wanted)}`);
      const exported = recordIn(file);
      const [found] = listIn(exported, 'flows');
      return { flow: found, requests: listIn(exported, 'requests').map(withShortBodies) };
    },
  }),
  tool({
    name: 'read_request',
    title: 'Read a request',
    description: 'Reads one request and its response, without secrets, with the events that it caused.',
    effect: 'reads',
    input: v.strictObject({ requestId: described(v.string(), '`req_…`') }),
    output: exchanged,
    async run({ requestId }, sandbox) {
      const path = pathWith('/events', { q: `request:${JSON.stringify(requestId)}`, exchange: 'true', limit: 100 });
      const events = listIn(await sandbox.ask({ path }), 'events');
      const found = events.find(({ type }) => type === 'request.completed');
      if (found === undefined) throw noneAbove(`no request ${JSON.stringify(requestId)}`);
      const caused = events.filter(each => each !== found).map(maskedEvent);
      return { ...maskedEvent(found), requestId, events: caused };
    },
  }),
];

async function newestFlow(sandbox: SandboxCalls): Promise<string> {
  const [newest] = listIn(await sandbox.dashboard('/api/v1/flows?limit=1'), 'flows');
  if (typeof newest?.id !== 'string') throw noneAbove('no flow');
  return newest.id;
}

function withShortBodies(request: Readonly<Record<string, unknown>>): object {
  const message = (said: unknown) => {
    if (!isRecord(said) || !isRecord(said.body)) return said;
    return { ...said, body: { ...said.body, text: shortText(String(said.body.text)) } };
  };
  return { ...request, request: message(request.request), response: message(request.response) };
}

const event = v.looseObject({ id: v.number(), at: v.number(), requestId: v.string(), type: v.string() });
const type = optional(v.string(), 'Event types, separated by commas: `token.issued,error.returned`');
const id = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The log. */
export const eventTools = [
  tool({
    name: 'list_events',
    title: 'List events',
    description:
      'Lists events of the log, oldest first: requests, sign-ins, tokens, refusals, changes. `last_id` is the `after` of the next call.',
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
      'Waits for the first matching event, in the history after `after` or in the future. Call list_events first, start the sign-in or the test, and wait with its `last_id`.',
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

const problem = v.looseObject({
  id: text('`prb_…`'),
  kind: text('`refusal`, or `silent`: something did not happen, and nothing was refused'),
  client_id: v.optional(v.string()),
  code: text('The error code on the wire; for a silent failure the name of its detector'),
  reason: text('The exact cause'),
  title: v.string(),
  count: described(v.number(), 'Number of occurrences in the history'),
  requestId: text('The request of the newest occurrence, `req_…`'),
});

const explained = v.looseObject({
  requestId: v.string(),
  title: v.string(),
  why: text('What happened, and the reason'),
  certainty: text('`certain`: the two values prove the cause. `likely`: see `others`'),
  others: described(v.array(v.string()), 'Other possible causes'),
  sent: optional(v.string(), 'The value that was sent'),
  expected: optional(v.array(v.looseObject({ value: v.string() })), 'Values that would have been accepted'),
  fixes: described(
    v.array(v.looseObject({ text: v.string() })),
    'Fixes, the best first, with lines for the app or for clients.config.ts',
  ),
  references: v.array(v.looseObject({ name: v.string() })),
});

/** Tools that list failed requests and explain them. */
export const problemTools = [
  tool({
    name: 'list_problems',
    title: 'List problems',
    description:
      'Lists what failed: each refusal by client and cause, and failures without a refusal, newest first. Start here if a sign-in or an API call does not work.',
    effect: 'reads',
    input: v.strictObject({
      client_id: optional(v.string(), 'Only problems of this client'),
      limit: count(50),
    }),
    output: v.object({ problems: v.array(problem), total: described(v.number(), 'Number of matching problems') }),
    async run({ client_id, limit = 20 }, sandbox) {
      const all = listIn(await sandbox.dashboard('/api/v1/problems'), 'problems');
      const found = all.filter(each => client_id === undefined || each.client_id === client_id);
      return { problems: found.slice(0, limit).map(shortened), total: found.length };
    },
  }),
  tool({
    name: 'explain_problem',
    title: 'Explain a problem',
    description:
      'Explains one refused request: the value sent and the value expected, the cause, whether it is certain, and fixes as code. Takes the id of a problem or of a request; without an id, the newest problem.',
    effect: 'reads',
    input: v.strictObject({ id: optional(v.string(), '`prb_…`, `req_…` or `latest`. Default: latest') }),
    output: explained,
    async run({ id = 'latest' }, sandbox) {
      const found = await sandbox.dashboard(`/api/v1/problems/${encodeURIComponent(id)}`);
      if (found === undefined) throw noneAbove(id === 'latest' ? 'no problem' : `no problem ${JSON.stringify(id)}`);
      const { comparison: _, ...facts } = found; // says in pieces what `sent` and `expected` say
      return shortened(facts);
    },
  }),
];

const mostRequests = 10;

/** A problem with few of its requests: a loop may have thousands. */
function shortened(found: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(found)) return {};
  const { requestIds } = found;
  return Array.isArray(requestIds) ? { ...found, requestIds: requestIds.slice(0, mostRequests) } : found;
}
