import type { RecordedRequest } from '../recorded-request.ts';
import type { FlowRecord } from './flow-record.ts';

/** The most seconds between two calls of one caller. */
const windows = { setup: 300, calls: 30 } as const;

type Purpose = keyof typeof windows;

/** Groups calls by their sender if nothing else connects them: requests for metadata and keys, and calls without a token. */
export function createCallers() {
  const last = new Map<string, FlowRecord>();
  const keyOf = (purpose: Purpose, request: RecordedRequest) =>
    [purpose, request.ip, request.header('user-agent')].join('\n');

  return {
    find(purpose: Purpose, request: RecordedRequest): FlowRecord | undefined {
      const record = last.get(keyOf(purpose, request));
      const isRecent = record !== undefined && request.event.at - record.progress.lastAt <= windows[purpose];
      return isRecent ? record : undefined;
    },
    note(purpose: Purpose, request: RecordedRequest, record: FlowRecord): void {
      last.set(keyOf(purpose, request), record);
    },
    forget(record: FlowRecord): void {
      if (record.kind !== 'setup' && record.kind !== 'calls') return;
      for (const [key, each] of last) if (each === record) last.delete(key);
    },
    clear: () => last.clear(),
  };
}
