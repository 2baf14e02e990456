import type { Searchable } from '../../events/search/match.ts';
import type { Flow } from '../../flows/flow.ts';
import { flowKindWords } from '../../flows/flow-words.ts';

/** What the list of flows can be searched by. */
export const flowSearch: Searchable<Flow> = {
  fields: {
    client: { suggested: true, of: flow => flow.client_id },
    user: { suggested: true, of: flow => flow.sub },
    status: { values: ['open', 'ok', 'failed', 'abandoned'], of: flow => flow.status },
    kind: { values: Object.keys(flowKindWords), of: flow => flow.kind },
    code: { suggested: true, of: codesOf },
    endpoint: { of: ({ steps }) => steps.map(({ endpoint }) => endpoint) },
    has: { values: ['problem', 'token'], of: partsOf },
    is: { values: ['inferred', 'incomplete', 'tool'], of: signsOf },
  },
  words: ({ id, kind, client_id, sub, steps, tokenIds }) => [
    ...[id, flowKindWords[kind], client_id, sub],
    ...steps.map(({ requestId }) => requestId),
    ...tokenIds,
  ],
  at: flow => flow.startedAt,
};

/** On the wire, and the reasons behind them. */
function codesOf({ steps }: Flow): string[] {
  return steps.flatMap(({ refusal }) => (refusal === undefined ? [] : [refusal.error, refusal.reason]));
}

function partsOf({ steps, tokenIds }: Flow): string[] {
  const isRefused = steps.some(({ refusal }) => refusal !== undefined);
  return [...(isRefused ? ['problem'] : []), ...(tokenIds.length > 0 ? ['token'] : [])];
}

function signsOf({ steps, incomplete }: Flow): string[] {
  return [
    ...(steps.some(({ joinedBy }) => joinedBy === 'inferred') ? ['inferred'] : []),
    ...(incomplete ? ['incomplete'] : []),
    ...(steps.some(({ actor }) => actor === 'tool') ? ['tool'] : []),
  ];
}
