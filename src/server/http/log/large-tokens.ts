import type { SandboxEvent } from '../../../base/events/event.ts';
import { exceedsHeader } from '../../../base/events/token-events.ts';

/** The most clients to remember, because registration can create any number. */
const mostTold = 1000;

/** Reports once for each client that its token does not fit into the headers of a request. */
export function createLargeTokenTeller(most: number): (event: SandboxEvent) => readonly string[] {
  const told = new Set<string>();
  return event => {
    if (event.type !== 'token.issued' || !exceedsHeader(event, most)) return [];
    const { client_id, tokenType, token } = event;
    const key = JSON.stringify([client_id, tokenType]);
    if (told.has(key) || told.size >= mostTold) return [];
    told.add(key);
    const name = tokenType === 'id' ? 'ID token' : 'access token';
    return [
      `the ${name} of ${client_id} has ${token.length} bytes, so a request that carries it is refused with 431: take claims out of it, or raise MAX_HEADER_SIZE (${most})`,
    ];
  };
}
