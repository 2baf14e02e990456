import type { EventLog } from '../events/event-log.ts';
import { atOnce } from '../turns/in-turns.ts';
import { type FlowRecord, shownFlow } from './correlation/flow-record.ts';
import { createFlowWriter, type FlowWriter } from './correlation/flow-writer.ts';
import type { FlowIndex } from './flow.ts';

/** The flows of a log. It reads what is new when somebody asks; `clock` in Unix seconds says what is abandoned by now. */
export function createFlowIndex(events: EventLog, clock: () => number): FlowIndex {
  const writer = createFlowWriter(events);
  const all = (find: (writer: FlowWriter) => readonly FlowRecord[]) => {
    atOnce(writer.catchUp());
    return find(writer).map(flow => shownFlow(flow, clock()));
  };
  const one = (find: (writer: FlowWriter) => FlowRecord | undefined) =>
    all(now => {
      const flow = find(now);
      return flow === undefined ? [] : [flow];
    })[0];

  return {
    latest: (limit, before) => all(({ shelf }) => shelf.latest(limit, before)),
    find: id => one(({ shelf }) => shelf.find(id)),
    ofRequest: requestId => one(({ ofRequest }) => ofRequest(requestId)),
    ofToken: tokenId => one(({ ofToken }) => ofToken(tokenId)),
    ofSession: sid => all(({ shelf }) => shelf.ofSession(sid)),
    catchUp: () => writer.catchUp(),
    count() {
      atOnce(writer.catchUp());
      return writer.shelf.count();
    },
  };
}
