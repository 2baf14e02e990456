import type { Flow, FlowIndex } from '../../record/flows/flow.ts';

/** The flows of a session file as they were recorded, newest first in the file. */
export function recordedFlows(flows: readonly Flow[]): FlowIndex {
  const byId = new Map(flows.map(flow => [flow.id, flow]));
  const byRequest = new Map(flows.flatMap(flow => flow.steps.map(step => [step.requestId, flow] as const)));
  const byToken = new Map(flows.flatMap(flow => flow.tokenIds.map(id => [id, flow] as const)));
  function newestFirst(before?: string): readonly Flow[] {
    const place = flows.findIndex(({ id }) => id === before);
    return before === undefined ? flows : place === -1 ? [] : flows.slice(place + 1);
  }
  return {
    *catchUp() {},
    latest: (limit, before) => newestFirst(before).slice(0, limit),
    newestFirst,
    find: id => byId.get(id),
    ofRequest: requestId => byRequest.get(requestId),
    ofToken: tokenId => byToken.get(tokenId),
    ofSession: sid => flows.filter(flow => flow.sid === sid).reverse(),
    count: () => flows.filter(({ kind }) => kind !== 'setup').length,
    kept: () => flows.length,
  };
}
