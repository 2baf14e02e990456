import type { FlowRecord } from './flow-record.ts';

/** Flows by the `sid` of the login they made or ended. */
export function createSessionFlows() {
  const bySession = new Map<string, Set<FlowRecord>>();

  return {
    add(flow: FlowRecord): void {
      if (flow.sid === undefined) return;
      const flows = bySession.get(flow.sid) ?? new Set();
      bySession.set(flow.sid, flows.add(flow));
    },
    remove(flow: FlowRecord): void {
      const flows = bySession.get(flow.sid ?? '');
      flows?.delete(flow);
      if (flows?.size === 0) bySession.delete(flow.sid ?? '');
    },
    /** Oldest first. */
    of: (sid: string) => [...(bySession.get(sid) ?? [])].sort((a, b) => a.number - b.number),
    clear: () => bySession.clear(),
  };
}
