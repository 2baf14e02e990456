import { refusalOf } from '../correlation/refusals.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import type { Arrow, LaneId } from './model.ts';

export type Told = Pick<Arrow, 'words' | 'why' | 'reference'>;

/** An arrow without a recorded request: `part` is absent. */
export function arrow(from: LaneId, to: LaneId, title: string, told: Told): Arrow {
  return { from, to, title, ...told };
}

/** A request to this server, together with its answer. */
export function asks({ event }: RecordedRequest, from: LaneId, told: Told): Arrow {
  return { ...arrow(from, 'idp', `${event.method} ${event.path}`, told), part: 'both' };
}

/** An answer as a separate arrow; `what` names its content, such as `access_token, id_token`. */
export function answers({ event }: RecordedRequest, to: LaneId, what: string, told: Told): Arrow {
  return { ...arrow('idp', to, `${event.status} ${what}`, told), isResponse: true, part: 'response' };
}

/** A request arrow and its answer arrow; only one arrow if the request was refused. */
export function asksAndGets(request: RecordedRequest, from: LaneId, told: Told, answer: Arrow): readonly Arrow[] {
  const asked = asks(request, from, told);
  return refusalOf(request) === undefined ? [{ ...asked, part: 'request' }, answer] : [asked];
}
