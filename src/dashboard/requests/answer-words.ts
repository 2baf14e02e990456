import { clientClosedRequest, connectionDropped, type EventOf } from '../../events/event.ts';

/** An answer in words, also where the client or a fault closed the connection. */
export function answerWords({ method, path, status }: EventOf<'request.completed' | 'page.served'>): string {
  if (status === clientClosedRequest) return `The client hung up before ${method} ${path} was answered (${status})`;
  if (status === connectionDropped) return `A fault closed the connection of ${method} ${path} (${status})`;
  return `${method} ${path} was answered with ${status}`;
}
