import type { Flow, FlowIndex } from '../../flows/flow.ts';
import { flowKindWords } from '../../flows/flow-words.ts';
import { ago } from '../duration.ts';

/** What somebody tried last; reading metadata and keys is no attempt. */
export function latestFlow(flows: FlowIndex, now: number) {
  const flow = flows.latest(enough).find(({ kind }) => kind !== 'setup');
  return flow && { ...toLine(flow), ago: ago(now - flow.lastAt) };
}

const enough = 20;

function toLine({ id, kind, client_id = '', sub = '', status, startedAt, lastAt }: Flow) {
  const seconds = lastAt - startedAt;
  const took = seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
  return { id, kind: flowKindWords[kind], client_id, sub, status, took };
}
