import { defined } from '../../base/defined.ts';
import type { Flow } from '../../record/flows/flow.ts';
import type { Desk } from '../desk.ts';
import { progressOf } from './flow-list.ts';

/** A flow of the JSON list: its outcome without its requests. */
export function flowSummary({ events, issuer }: Pick<Desk, 'events' | 'issuer'>, flow: Flow) {
  const { id, kind, status, client_id, sub, startedAt, lastAt, tokenIds, incomplete } = flow;
  const { steps, missing } = progressOf(flow, events);
  const refused = flow.steps.findLast(({ refusal }) => refusal !== undefined);
  return {
    ...{ id, kind, status, startedAt, lastAt, steps, tokenIds, incomplete },
    ...defined({ client_id, sub }),
    ...(missing === '' ? {} : { missing }),
    ...(refused === undefined ? {} : { refusal: { ...refused.refusal, requestId: refused.requestId } }),
    links: { flow: `${issuer}/dashboard/flows/${id}` },
  };
}
