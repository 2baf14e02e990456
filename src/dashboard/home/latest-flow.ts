import type { Flow, FlowIndex, FlowStatus } from '../../flows/flow.ts';
import { flowKindWords } from '../../flows/flow-words.ts';
import { ago } from '../duration.ts';

/** The newest flow, in a line. */
export interface LatestFlow {
  readonly id: string;
  readonly kind: string;
  readonly client_id: string;
  readonly sub: string;
  readonly status: FlowStatus;
  /** From the first request to the last: `1.2 s`. */
  readonly took: string;
  readonly ago: string;
}

/** What somebody tried last; reading metadata and keys is no attempt. */
export function latestFlow(flows: FlowIndex, now: number): LatestFlow | undefined {
  const flow = flows.latest(enough).find(({ kind }) => kind !== 'setup');
  return flow && { ...toLine(flow), ago: ago(now - flow.lastAt) };
}

const enough = 20;

function toLine({ id, kind, client_id = '', sub = '', status, startedAt, lastAt }: Flow): Omit<LatestFlow, 'ago'> {
  const seconds = lastAt - startedAt;
  const took = seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
  return { id, kind: flowKindWords[kind], client_id, sub, status, took };
}
