import type { IssuedEvent } from '../../events/event-log.ts';
import type { Desk } from '../desk.ts';

/** The id of the flow a token was issued in, as `flow:` compares it. */
export function flowOf({ flows }: Pick<Desk, 'flows'>): (event: IssuedEvent) => string | undefined {
  return ({ tokenId }) => flows.ofToken(tokenId)?.id;
}
