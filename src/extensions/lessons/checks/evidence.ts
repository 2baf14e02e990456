import type { SandboxEvent } from '../../../base/events/event.ts';

/** The data that checks are compared with. */
export interface TaskEvidence {
  /** Events since the task began, oldest first. */
  readonly events: readonly SandboxEvent[];
  /** Chosen options by the id of their question. */
  readonly answers: Readonly<Record<string, string>>;
  /** Requests that did another task: none of them is close to this one. */
  readonly spent?: ReadonlySet<string>;
}

/** Leaves out what the dashboard itself asked for, and requests that still run. */
export function countable(events: readonly SandboxEvent[]): readonly SandboxEvent[] {
  const ended = new Set(events.flatMap(({ type, requestId }) => (type === 'request.completed' ? [requestId] : [])));
  // `sandbox` and `call_…` are not requests
  return events.filter(({ type, requestId }) =>
    requestId.startsWith('req_') ? ended.has(requestId) : type !== 'page.served',
  );
}

/** Only a request has a page to link to. */
export function requestOf({ requestId }: SandboxEvent): { readonly requestId?: string } {
  return requestId.startsWith('req_') ? { requestId } : {};
}
