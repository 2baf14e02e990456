import type { JoinRule } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { type BrowserMark, mostLike } from './browser-mark.ts';
import type { FlowRecord } from './flow-record.ts';
import { asksFirst, staysHere } from './flow-status.ts';

interface WaitingLogout {
  readonly flow: FlowRecord;
  mark: BrowserMark;
}

const most = 100;

/** Logouts that wait for a confirmation or for the browser to return. Their requests are joined by session. */
export function createSessionLogouts() {
  const waiting: WaitingLogout[] = [];
  const drop = (flow: FlowRecord) => {
    const index = waiting.findIndex(each => each.flow === flow);
    if (index !== -1) waiting.splice(index, 1);
  };

  return {
    find(mark: BrowserMark): { flow: FlowRecord; rule: JoinRule } | undefined {
      const { likeness, alike } = mostLike(waiting, each => each.mark, mark);
      const found = alike.at(-1);
      if (found === undefined || likeness === 'unknown') return undefined;
      return { flow: found.flow, rule: likeness === 'same session' ? 'session' : 'inferred' };
    },
    note(flow: FlowRecord, request: RecordedRequest, mark: BrowserMark): void {
      drop(flow);
      if (!asksFirst(request) && !staysHere(request)) return;
      waiting.push({ flow, mark });
      if (waiting.length > most) waiting.shift();
    },
    forget: drop,
    clear: () => void waiting.splice(0),
  };
}
