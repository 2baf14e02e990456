import { isPassing, refusalOf } from '../correlation/refusals.ts';
import type { RecordedRequest } from '../recorded-request.ts';

/** Consecutive requests that are drawn as one arrow, because they are alike. */
export interface Run {
  /** The newest of them. */
  readonly request: RecordedRequest;
  /** Oldest first. */
  readonly requestIds: readonly string[];
}

/** Endpoints whose repeated requests are alike. */
const alike: ReadonlySet<string> = new Set(['api', 'userinfo', 'introspect', 'jwks', 'discovery', 'resource_metadata']);

/** Groups consecutive polls and calls with the same answer; every other request is a run of its own. */
export function runsOf(requests: readonly RecordedRequest[]): Run[] {
  const runs: { request: RecordedRequest; readonly requestIds: string[] }[] = [];
  let lastKey: string | undefined;
  for (const request of requests) {
    const last = runs.at(-1);
    const { requestId } = request.event;
    const key = keyOf(request);
    if (last !== undefined && key !== undefined && key === lastKey) {
      last.request = request;
      last.requestIds.push(requestId);
    } else runs.push({ request, requestIds: [requestId] });
    lastKey = key;
  }
  return runs;
}

/** Requests with the same key form a run; undefined for a request that is always drawn alone. */
function keyOf(request: RecordedRequest): string | undefined {
  const { endpoint, method, path, status } = request.event;
  const refusal = refusalOf(request);
  const isPoll =
    endpoint === 'token' && refusal !== undefined && isPassing(refusal) && refusal.error !== 'use_dpop_nonce';
  if (!isPoll && !alike.has(endpoint)) return undefined;
  return [endpoint, method, path, status, refusal?.reason].join(' ');
}
