import { isPassing, refusalOf } from '../correlation/refusals.ts';
import type { RecordedRequest } from '../recorded-request.ts';

/** Requests that are drawn as one, because they say the same. */
export interface Run {
  /** The newest. */
  readonly request: RecordedRequest;
  /** Oldest first. */
  readonly requestIds: readonly string[];
}

/** Of these one looks like the other. */
const alike: ReadonlySet<string> = new Set(['api', 'userinfo', 'introspect', 'jwks', 'discovery', 'resource_metadata']);

/** Polls and calls that follow each other with the same answer, as one. */
export function runsOf(requests: readonly RecordedRequest[]): Run[] {
  const runs: Run[] = [];
  for (const request of requests) {
    const last = runs.at(-1);
    const { requestId } = request.event;
    const goesOn = last !== undefined && signOf(last.request) !== undefined && signOf(last.request) === signOf(request);
    if (goesOn) runs.splice(-1, 1, { request, requestIds: [...last.requestIds, requestId] });
    else runs.push({ request, requestIds: [requestId] });
  }
  return runs;
}

/** Undefined for what is always drawn alone. */
function signOf(request: RecordedRequest): string | undefined {
  const { endpoint, method, path, status } = request.event;
  const refusal = refusalOf(request);
  const isPoll =
    endpoint === 'token' && refusal !== undefined && isPassing(refusal) && refusal.error !== 'use_dpop_nonce';
  if (!isPoll && !alike.has(endpoint)) return undefined;
  return [endpoint, method, path, status, refusal?.reason].join(' ');
}
