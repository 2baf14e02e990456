import type { ErrorReturned, EventOf, RequestCompleted } from '../../../src/base/events/event.ts';
import { createEventLog, type EventLog } from '../../../src/base/events/event-log.ts';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import type { Detector } from '../../../src/record/problems/detectors/index.ts';
import type { Known } from '../../../src/record/problems/known.ts';
import type { Refusal, SilentFailure } from '../../../src/record/problems/problem.ts';
import { createSilentFailures } from '../../../src/record/problems/silent-failures.ts';
import { frontend, sensor, users, web } from '../../support/server.ts';

export const now = 1_700_000_000;
export const issuer = 'http://localhost:9000';

/** What explanations look up, over a log that is filled by hand. */
export function knownOf(events: EventLog, clients: readonly RegisteredClient[] = [frontend, sensor, web]): Known {
  return {
    events,
    issuer,
    iss: issuer,
    base: '',
    registered: () => clients,
    accounts: () => users,
    scopes: [],
    endpoints: [
      { name: 'authorize', method: 'GET, POST', path: '/oauth2/authorize' },
      { name: 'token', method: 'POST', path: '/oauth2/token' },
      { name: 'par', method: 'POST', path: '/oauth2/par' },
    ],
    control: { problemsOf: () => [] },
    clock: () => now,
  };
}

export function createLog(clock: () => number = () => now): EventLog {
  return createEventLog({ capacity: 200, now: clock });
}

export function errorFact(more: Partial<ErrorReturned> = {}): ErrorReturned {
  return {
    ...{ type: 'error.returned', endpoint: 'token', status: 400, error: 'invalid_request', form: 'json' },
    ...{ reason: 'parameter_missing', description: 'grant_type is missing', client_id: 'frontend' },
    ...more,
  };
}

interface Sent {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export function requestFact(
  endpoint: string,
  { method = 'POST', url = '/', headers = {}, body }: Sent,
): RequestCompleted {
  return {
    ...{ type: 'request.completed', endpoint, method, status: 400, milliseconds: 1 },
    path: url.split('?', 1)[0] ?? '',
    exchange: {
      url,
      ip: '127.0.0.1',
      requestHeaders: Object.entries(headers).flat().join('\n'),
      responseHeaders: '',
      ...(body === undefined ? {} : { requestBody: { text: body, bytes: body.length } }),
    },
  };
}

/** A refusal as the log holds it, with its request. */
export function refuse(events: EventLog, error: Partial<ErrorReturned>, sent?: Sent, requestId = 'req_1'): Refusal {
  const fact = errorFact(error);
  const stamped = events.append(fact, requestId) as EventOf<'error.returned'>;
  if (sent === undefined) return { error: stamped };
  const request = events.append(requestFact(fact.endpoint, sent), requestId) as EventOf<'request.completed'>;
  return { error: stamped, request };
}

/** The failures that one detector finds in a log. */
export function foundBy(detector: Detector, events: EventLog): readonly SilentFailure[] {
  return createSilentFailures(knownOf(events), [detector])
    .all()
    .flatMap(({ failures }) => failures);
}
