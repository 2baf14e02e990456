import { describe, expect, it } from 'vitest';
import type { SandboxEvent } from '../../../src/base/events/event.ts';
import { createEventLog, type EventLog } from '../../../src/base/events/event-log.ts';
import { createFlowIndex } from '../../../src/record/flows/flow-index.ts';
import { codeFact, now, requestFact, tokenFact } from '../../dashboard/running-dashboard.ts';
import { errorFact } from '../problems/support.ts';

const clock = () => now;
const createLog = (capacity = 100_000) => createEventLog({ capacity, now: clock });

interface SentRequest {
  readonly id: string;
  readonly endpoint: string;
  readonly url: string;
  readonly form?: string;
  readonly headers?: string;
  readonly status?: number;
}

function answered(events: EventLog, { id, endpoint, url, form, headers = '', status = 200 }: SentRequest): void {
  const body = form === undefined ? {} : { requestBody: { text: form, bytes: form.length } };
  const exchange = { url, ip: '127.0.0.1', requestHeaders: headers, responseHeaders: '', ...body };
  const method = form === undefined ? 'GET' : 'POST';
  const [path = ''] = url.split('?', 1);
  events.append(requestFact({ endpoint, method, path, status, exchange }), id);
}

/** A whole login, four requests, with names that end in `n`. */
function login(events: EventLog, n: number): void {
  const request = `/oauth2/authorize?client_id=frontend&response_type=code&state=state-${n}`;
  answered(events, { id: `req_a${n}`, endpoint: 'authorize', url: request });
  const authorizationId = `auth-${n}`;
  events.append({ ...codeFact(`tok_c${n}`), authorizationId, token: `code-${n}` }, `req_b${n}`);
  answered(events, {
    id: `req_b${n}`,
    endpoint: 'login',
    url: request.replace('/oauth2/authorize', '/login'),
    form: 'sub=alice',
    status: 303,
  });
  events.append({ ...tokenFact(`tok_a${n}`), authorizationId, token: `access-${n}` }, `req_t${n}`);
  answered(events, {
    id: `req_t${n}`,
    endpoint: 'token',
    url: '/oauth2/token',
    form: `grant_type=authorization_code&code=code-${n}`,
  });
  answered(events, {
    id: `req_u${n}`,
    endpoint: 'api',
    url: '/api/products',
    headers: `Authorization\nBearer access-${n}`,
  });
}

it('has failed once its code was used twice, although the other use succeeds afterwards', () => {
  const events = createLog();
  const form = 'grant_type=authorization_code&code=code-1';
  const replay = () => {
    const about = { authorizationId: 'auth-1', client_id: 'frontend' };
    events.append({ type: 'token.revoked', ...about, reason: 'code_replayed' }, 'req_x');
    events.append(errorFact({ endpoint: 'token', reason: 'code_replayed', error: 'invalid_grant' }), 'req_x');
    answered(events, { id: 'req_x', endpoint: 'token', url: '/oauth2/token', form, status: 400 });
  };
  login(events, 1);
  replay();
  answered(events, { id: 'req_y', endpoint: 'token', url: '/oauth2/token', form });
  expect(
    createFlowIndex(events, clock)
      .latest(10)
      .map(({ status }) => status),
  ).toEqual(['failed']);
});

/** Counts how often anything of an event is looked at, and how many events are handed out. */
function counting(events: EventLog) {
  const tally = { looks: 0, events: 0 };
  const watched = new WeakMap<SandboxEvent, SandboxEvent>();
  const look = (event: SandboxEvent, name: PropertyKey) => {
    tally.looks++;
    return Reflect.get(event, name);
  };
  const watch = <T extends SandboxEvent>(event: T): T => {
    tally.events++;
    const known = watched.get(event) ?? new Proxy(event, { get: look });
    watched.set(event, known);
    return known as T;
  };
  const counted: EventLog = {
    ...events,
    get lastId() {
      return events.lastId;
    },
    keptSince: (id, types) => events.keptSince(id, types).map(watch),
    ofRequest: id => events.ofRequest(id).map(watch),
    latest: (type, limit, before) => events.latest(type, limit, before).map(watch),
  };
  return { events: counted, tally };
}

/** Ten thousand requests take their time where everything else runs beside them. */
const patience = 300_000;

describe('the index of flows', { timeout: patience }, () => {
  it('finds a flow by its id, its requests and its tokens', () => {
    const events = createLog();
    const flows = createFlowIndex(events, clock);
    login(events, 1);
    const [flow] = flows.latest(1);
    expect(flow).toMatchObject({
      id: 'flow_a1',
      kind: 'authorization_code',
      status: 'ok',
      tokenIds: ['tok_c1', 'tok_a1'],
    });
    expect(flows.find('flow_a1')).toBe(flow);
    for (const id of ['req_a1', 'req_b1', 'req_t1', 'req_u1']) expect(flows.ofRequest(id)).toBe(flow);
    for (const id of ['tok_c1', 'tok_a1']) expect(flows.ofToken(id)).toBe(flow);
    expect([flows.find('flow_x'), flows.ofRequest('req_x'), flows.ofToken('tok_x')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('gives the newest first, page by page', () => {
    const events = createLog();
    const flows = createFlowIndex(events, clock);
    for (let n = 1; n <= 5; n++) login(events, n);
    expect(flows.latest(2).map(({ id }) => id)).toEqual(['flow_a5', 'flow_a4']);
    expect(flows.latest(2, 'flow_a4').map(({ id }) => id)).toEqual(['flow_a3', 'flow_a2']);
    expect(flows.count()).toBe(5);
  });

  it('looks at 10,000 requests once, however often it is asked', () => {
    const costOf = (logins: number) => {
      const { events, tally } = counting(createLog());
      const flows = createFlowIndex(events, clock);
      for (let n = 0; n < logins; n++) {
        login(events, n);
        flows.count();
        flows.latest(10);
      }
      expect(flows.latest(10_000)).toHaveLength(logins);
      return tally;
    };
    const small = costOf(250);
    const big = costOf(2500);
    expect(big.looks).toBeLessThan(11 * small.looks);
    expect(big.events).toBeLessThan(11 * small.events);
  });

  it('takes the requests alone from a log with many other events', () => {
    const { events, tally } = counting(createLog());
    for (let n = 0; n < 1000; n++) events.append(codeFact(`tok_${n}`), `req_${n}`);
    login(events, 1);
    expect(createFlowIndex(events, clock).latest(10)).toHaveLength(1);
    expect(tally.events).toBeLessThan(100);
  });

  it('costs the same in one go', () => {
    const costOf = (logins: number) => {
      const { events, tally } = counting(createLog());
      for (let n = 0; n < logins; n++) login(events, n);
      expect(createFlowIndex(events, clock).latest(10_000)).toHaveLength(logins);
      return tally.looks + tally.events;
    };
    expect(costOf(2500)).toBeLessThan(11 * costOf(250));
  });

  it('costs no more for thousands of logins that all look the same', () => {
    const costOf = (logins: number) => {
      const { events, tally } = counting(createLog());
      for (let n = 0; n < logins; n++) {
        answered(events, {
          id: `req_${n}`,
          endpoint: 'authorize',
          url: '/oauth2/authorize?client_id=a&response_type=code',
        });
      }
      createFlowIndex(events, clock).count();
      return tally.looks + tally.events;
    };
    expect(costOf(2000)).toBeLessThan(11 * costOf(200));
  });

  it('drops flows that the log has dropped, and marks incomplete ones', () => {
    const events = createLog(10);
    const flows = createFlowIndex(events, clock);
    for (let n = 1; n <= 5; n++) {
      login(events, n);
      flows.count();
    }
    // ten requests are kept: all of the last two, and half of the one before
    expect(flows.latest(10).map(({ id, steps, incomplete }) => [id, steps.length, incomplete])).toEqual([
      ['flow_a5', 4, false],
      ['flow_a4', 4, false],
      ['flow_a3', 2, true],
    ]);
    expect(flows.count()).toBe(5);
    expect([
      flows.find('flow_a2'),
      flows.ofRequest('req_t2'),
      flows.ofRequest('req_a3'),
      flows.ofToken('tok_a2'),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('continues with the kept events after a long time without a query', () => {
    const events = createLog(10);
    const flows = createFlowIndex(events, clock);
    login(events, 1);
    flows.count();
    for (let n = 2; n <= 9; n++) login(events, n);
    expect(
      flows
        .latest(10)
        .map(({ id }) => id)
        .slice(0, 2),
    ).toEqual(['flow_a9', 'flow_a8']);
    expect(flows.find('flow_a1')).toBeUndefined();
  });

  it('keeps some thousand flows', () => {
    const events = createLog();
    const flows = createFlowIndex(events, clock);
    const request = '/oauth2/authorize?client_id=a&response_type=code&state=';
    for (let n = 0; n < 3500; n++) answered(events, { id: `req_${n}`, endpoint: 'authorize', url: request + n });
    expect(flows.latest(10_000)).toHaveLength(3000);
    expect([flows.find('flow_499'), flows.ofRequest('req_499')]).toEqual([undefined, undefined]);
    expect(flows.find('flow_500')).toBeDefined();
    expect(flows.count()).toBe(3500);
  });

  it('takes a request that comes again with a nonce for the same', () => {
    const events = createLog();
    const flows = createFlowIndex(events, clock);
    const ask = (id: string, scope: string, isRefused: boolean) => {
      const refusal = {
        error: 'use_dpop_nonce',
        reason: 'dpop_nonce_needed',
        description: 'a nonce',
        form: 'json',
      } as const;
      if (isRefused)
        events.append({ type: 'error.returned', endpoint: 'token', status: 400, client_id: 'svc', ...refusal }, id);
      const form = `grant_type=client_credentials&client_id=svc&scope=${scope}`;
      answered(events, { id, endpoint: 'token', url: '/oauth2/token', form, status: isRefused ? 400 : 200 });
    };
    ask('req_1', 'a', true);
    ask('req_2', 'b', true);
    ask('req_3', 'a', false);
    ask('req_4', 'b', false);
    ask('req_5', 'b', false);
    expect(flows.latest(10).map(({ steps }) => steps.map(({ requestId }) => requestId))).toEqual([
      ['req_5'],
      ['req_2', 'req_4'],
      ['req_1', 'req_3'],
    ]);
  });

  it('begins anew after a reset', () => {
    const events = createLog();
    const flows = createFlowIndex(events, clock);
    login(events, 1);
    expect(flows.count()).toBe(1);
    events.clear();
    events.append({ type: 'sandbox.reset' }, 'sandbox');
    expect([flows.count(), flows.latest(10)]).toEqual([0, []]);
    login(events, 2);
    expect(flows.latest(10).map(({ id }) => id)).toEqual(['flow_a2']);
  });

  it('continues after a change of the configuration was undone', () => {
    const events = createLog();
    const flows = createFlowIndex(events, clock);
    login(events, 1);
    events.append({ type: 'sandbox.reset', part: 'configuration' }, 'sandbox');
    expect(flows.count()).toBe(1);
  });
});
