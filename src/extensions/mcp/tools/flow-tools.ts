import * as v from 'valibot';
import { isRecord, recordIn } from '../../../base/text/record.ts';
import { described, optional } from '../../../sandbox/control/described.ts';
import { maskedEvent, shortText } from '../masked.ts';
import type { SandboxCalls } from '../sandbox-calls.ts';
import { tool } from '../tool.ts';
import { count, listIn, moment, noneAbove, pathWith, text } from './members.ts';

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
      'Lists flows, newest first: each login, token request, device request and logout with its outcome and the step that is missing.',
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
      const faults = found?.problems;
      if (Array.isArray(faults) && faults.length > 0) throw new TypeError(`q: ${faults.join(' ')}`);
      return { flows: listIn(found, 'flows') };
    },
  }),
  tool({
    name: 'read_flow',
    title: 'Read a flow',
    description:
      'Reads one flow with all its requests and answers, without secrets: to see what each side sent and where it stopped. Long bodies are cut.',
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
    description: 'Reads one request and its answer, without secrets, with the events that it caused.',
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
