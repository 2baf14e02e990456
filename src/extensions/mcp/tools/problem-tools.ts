import * as v from 'valibot';
import { isRecord } from '../../../base/text/record.ts';
import { described, optional } from '../../../sandbox/control/described.ts';
import { tool } from '../tool.ts';
import { count, listIn, noneAbove, text } from './members.ts';

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
    'Fixes, the best first, with lines for the application or for clients.config.ts',
  ),
  references: v.array(v.looseObject({ name: v.string() })),
});

/** Tools that list failed requests and explain them. */
export const problemTools = [
  tool({
    name: 'list_problems',
    title: 'List problems',
    description:
      'Lists what failed: each refusal by client and cause, and failures without a refusal, newest first. Start here if a login or an API call does not work.',
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
