import type { Sandbox } from '../../../src/index.ts';

/** What the log of a replica has in addition: it has read all events of the other replicas when this resolves. */
interface Following {
  readonly caughtUp?: () => Promise<void>;
}

const logs = new Map<number, readonly Following[]>();
const fetchOnce = globalThis.fetch;

/**
 * Lets the handle of the first replica know what the others have done when an answer of the balancer at `port` is there: tests read
 * events from the handle without a wait, as they may with one process. Returns how to stop.
 */
export function followAnswers(port: number, sandbox: Sandbox): () => void {
  logs.set(port, [sandbox.events, ...[...sandbox.issuers.values()].map(each => each.events)] as readonly Following[]);
  globalThis.fetch = fetchAndFollow;
  return () => logs.delete(port);
}

async function fetchAndFollow(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetchOnce(...request);
  const [asked] = request;
  const url = new URL(asked instanceof Request ? asked.url : asked);
  for (const log of logs.get(Number(url.port)) ?? []) await log.caughtUp?.();
  return response;
}
