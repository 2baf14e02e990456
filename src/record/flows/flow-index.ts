import type { EventLog } from '../../base/events/event-log.ts';
import { atOnce } from '../../base/turns/in-turns.ts';
import { type FlowRecord, shownFlow } from './correlation/flow-record.ts';
import { createFlowWriter } from './correlation/flow-writer.ts';
import type { Flow, FlowIndex } from './flow.ts';

/** Creates the index of the flows in a log. It reads new events on each query. `clock` (Unix seconds) decides which flows are abandoned. */
export function createFlowIndex(events: EventLog, clock: () => number): FlowIndex {
  const writer = createFlowWriter(events);
  const current = () => {
    atOnce(writer.catchUp());
    return writer;
  };
  const shown = (flow: FlowRecord) => shownFlow(flow, clock());
  const shownIfAny = (flow: FlowRecord | undefined) => flow && shown(flow);

  function* newestFirst(before?: string): Generator<Flow> {
    for (const flow of current().shelf.newestFirst(before)) yield shown(flow);
  }

  return {
    latest(limit, before) {
      const flows: Flow[] = [];
      for (const flow of newestFirst(before)) if (flows.push(flow) >= limit) break;
      return flows;
    },
    newestFirst,
    find: id => shownIfAny(current().shelf.find(id)),
    ofRequest: requestId => shownIfAny(current().ofRequest(requestId)),
    ofToken: tokenId => shownIfAny(current().ofToken(tokenId)),
    ofSession: sid => current().shelf.ofSession(sid).map(shown),
    catchUp: () => writer.catchUp(),
    count: () => current().shelf.count(),
    kept: () => current().shelf.kept(),
  };
}
