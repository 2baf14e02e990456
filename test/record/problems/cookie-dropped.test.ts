import { expect, it } from 'vitest';
import type { EventFact } from '../../../src/base/events/event.ts';
import { cookieDropped } from '../../../src/record/problems/detectors/logins.ts';
import { createLog, foundBy } from './support.ts';

it('reads each address once to tell which login a request follows, whatever their number', () => {
  const events = createLog();
  let reads = 0;
  const add = (requestId: string, endpoint: string, url: string, responseHeaders: string) => {
    const exchange = {
      get url() {
        reads++;
        return url;
      },
      ...{ ip: '', requestHeaders: '', responseHeaders },
    };
    const served = { endpoint, method: 'GET', path: url, status: 302, milliseconds: 1 };
    events.append({ type: 'request.completed', ...served, exchange } as EventFact, requestId);
  };
  for (let n = 0; n < 50; n++) {
    events.append({ type: 'login.succeeded', sub: 'alice' } as EventFact, `req_l${n}`);
    add(`req_l${n}`, 'login', '/login', `Location\n/oauth2/authorize?n=${n}`);
    add(`req_a${n}`, 'authorize', `/oauth2/authorize?n=${n}`, '');
  }
  reads = 0; // the log itself has weighed each
  const found = foundBy(cookieDropped, events);
  expect(found.map(({ requestId }) => requestId)).toEqual(Array.from({ length: 50 }, (_, n) => `req_a${n}`));
  // once to compare, and once for the client it names
  expect(reads).toBeLessThanOrEqual(2 * 50);
});
