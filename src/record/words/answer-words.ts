import { clientClosedRequest, connectionDropped, type EventOf } from '../../base/events/event.ts';
import { type EventWords, say } from './say.ts';

/** An answer, also where the client or a fault closed the connection. */
export function answerWords(event: EventOf<'request.completed' | 'page.served'>): EventWords {
  const { method, path, status, milliseconds } = event;
  const facts = { took: `${milliseconds.toFixed(1)} ms` };
  if (status === clientClosedRequest) {
    return say(`The client hung up before ${method} ${path} was answered (${status})`, facts);
  }
  if (status === connectionDropped) return say(`A fault closed the connection of ${method} ${path} (${status})`, facts);
  return say(`${method} ${path} was answered with ${status}`, facts);
}
