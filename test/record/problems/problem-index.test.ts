import { describe, expect, it } from 'vitest';
import { createEventLog } from '../../../src/base/events/event-log.ts';
import { detector } from '../../../src/record/problems/detectors/detector.ts';
import { createProblemIndex } from '../../../src/record/problems/problem-index.ts';
import { createLog, errorFact, knownOf, now, refuse, requestFact } from './support.ts';

function indexOf(clock: () => number = () => now) {
  const events = createLog(clock);
  return { events, index: createProblemIndex({ ...knownOf(events), clock }) };
}

describe('problems', () => {
  it('are refusals by client, code and cause, the newest first', () => {
    const { events, index } = indexOf();
    refuse(events, {}, undefined, 'req_1');
    refuse(events, { reason: 'code_replayed', error: 'invalid_grant' }, undefined, 'req_2');
    refuse(events, { client_id: 'web' }, undefined, 'req_3');
    refuse(events, {}, undefined, 'req_4');
    expect(index.latest(10)).toMatchObject([
      {
        id: 'prb_1',
        client_id: 'frontend',
        code: 'invalid_request',
        reason: 'parameter_missing',
        count: 2,
        requestIds: ['req_4', 'req_1'],
      },
      { id: 'prb_3', client_id: 'web', count: 1 },
      { id: 'prb_2', reason: 'code_replayed', count: 1, requestId: 'req_2' },
    ]);
    expect(index.count()).toBe(3);
    expect(index.latest(1)).toHaveLength(1);
  });

  it('are counted by client without a look at what they were', () => {
    const events = createLog();
    let looks = 0;
    const registered = () => {
      looks++;
      return [];
    };
    const index = createProblemIndex({ ...knownOf(events), registered });
    refuse(events, {}, undefined, 'req_1');
    refuse(events, { reason: 'code_replayed' }, undefined, 'req_2');
    refuse(events, { client_id: 'web' }, undefined, 'req_3');
    expect([...index.countsByClient()].toSorted()).toEqual([
      ['frontend', 2],
      ['web', 1],
    ]);
    expect(looks).toBe(0);
  });

  it('of PKCE read each login of the log once, however many there are', () => {
    const events = createLog();
    const index = createProblemIndex(knownOf(events));
    let reads = 0;
    for (let n = 0; n < 50; n++) {
      const fact = requestFact('authorize', { method: 'GET' });
      const exchange = {
        ...fact.exchange,
        get url() {
          reads++;
          return `/oauth2/authorize?code_challenge=${'c'.repeat(43)}`;
        },
      };
      events.append({ ...fact, exchange }, `req_login${n}`);
      const body = new URLSearchParams({ code: `code-${n}`, code_verifier: 'v'.repeat(43) }).toString();
      const expected = 'x'.repeat(43);
      refuse(events, { reason: 'pkce_mismatch', client_id: `client-${n}`, expected }, { body }, `req_token${n}`);
    }
    reads = 0;
    expect(index.latest(100).filter(({ reason }) => reason === 'pkce_mismatch')).toHaveLength(50);
    const readOnce = reads;
    expect(readOnce).toBeLessThan(3 * 50); // the detectors read them, too
    expect(index.latest(100)).not.toHaveLength(0);
    expect(reads).toBe(readOnce);
  });

  it('are found by their id and by each of their requests', () => {
    const { events, index } = indexOf();
    refuse(events, {}, undefined, 'req_1');
    refuse(events, {}, undefined, 'req_2');
    expect(index.find('prb_1')).toMatchObject({ count: 2 });
    expect([index.ofRequest('req_1')?.id, index.ofRequest('req_2')?.id, index.ofRequest('req_3')]).toEqual([
      'prb_1',
      'prb_1',
      undefined,
    ]);
  });

  it('are explained by the occurrence that is asked for', () => {
    const { events, index } = indexOf();
    refuse(events, { reason: 'parameter_missing', expected: 'code' }, undefined, 'req_1');
    refuse(events, { reason: 'parameter_missing', expected: 'grant_type' }, undefined, 'req_2');
    const problem = index.find('prb_1');
    if (problem === undefined) throw new Error('there is none');
    expect(index.explain(problem, 'req_1').title).toBe('The parameter `code` is missing');
    expect([problem.title, index.explain(problem).title]).toEqual([
      'The parameter `grant_type` is missing',
      'The parameter `grant_type` is missing',
    ]);
  });

  it('of one request are two, and its answer counts before CORS', () => {
    const { events, index } = indexOf();
    refuse(events, { reason: 'cors_origin_refused' }, undefined, 'req_1');
    refuse(events, { reason: 'code_replayed' }, undefined, 'req_1');
    expect(index.latest(2).map(({ id }) => id)).toEqual(['prb_1-2', 'prb_1']);
    expect(index.ofRequest('req_1')?.reason).toBe('code_replayed');
  });

  it('with a path that is not there, or has no such method, are one for each path', () => {
    const { events, index } = indexOf();
    const unknown = { reason: 'path_unknown', status: 404 };
    refuse(events, unknown, { url: '/oauth2/tokn' }, 'req_1');
    refuse(events, unknown, { url: '/login/callback?x=1' }, 'req_2');
    refuse(events, unknown, { url: '/oauth2/tokn', method: 'GET' }, 'req_3');
    const wrong = { reason: 'method_not_allowed', status: 405, sent: 'GET' };
    refuse(events, wrong, { url: '/oauth2/token', method: 'GET' }, 'req_4');
    refuse(events, wrong, { url: '/oauth2/par', method: 'GET' }, 'req_5');
    expect(index.latest(9).map(({ id, count }) => [id, count])).toEqual([
      ['prb_5', 1],
      ['prb_4', 1],
      ['prb_1', 2],
      ['prb_2', 1],
    ]);
  });

  it('are marked when the dashboard itself has sent the request', () => {
    const { events, index } = indexOf();
    refuse(events, {}, { headers: { 'Grantbox-Tool': 'dashboard' } });
    expect(index.latest(1)).toMatchObject([{ isByTool: true }]);
  });

  it('go with the history that they are read from', () => {
    const events = createEventLog({ capacity: 3, now: () => now });
    const index = createProblemIndex(knownOf(events));
    refuse(events, { client_id: 'web' }, undefined, 'req_1');
    expect(index.count()).toBe(1);
    for (const n of [2, 3, 4]) refuse(events, {}, undefined, `req_${n}`);
    expect(index.latest(9)).toMatchObject([
      { client_id: 'frontend', count: 3, requestIds: ['req_4', 'req_3', 'req_2'] },
    ]);
    events.clear();
    events.append({ type: 'sandbox.reset' }, 'sandbox');
    expect([index.count(), index.find('prb_2')]).toEqual([0, undefined]);
  });

  it('count refusals that are forgotten, and keep their id', () => {
    const events = createEventLog({ capacity: 2, now: () => now });
    const index = createProblemIndex(knownOf(events));
    for (const n of [1, 2, 3]) {
      refuse(events, {}, undefined, `req_${n}`);
      index.count();
    }
    expect(index.latest(1)).toMatchObject([{ id: 'prb_1', count: 3, requestIds: ['req_3', 'req_2'] }]);
  });

  it('stay bounded however many causes there are', () => {
    const events = createEventLog({ capacity: 2000, now: () => now });
    const index = createProblemIndex(knownOf(events));
    for (let n = 0; n < 1500; n++) events.append(errorFact({ client_id: `client ${n}` }), `req_${n}`);
    expect(index.count()).toBe(500);
    expect(index.latest(1)).toMatchObject([{ client_id: 'client 1499' }]);
  });
});

describe('no problem', () => {
  it.each([
    ['a poll before the user has decided', { reason: 'authorization_pending' }],
    ['an error chosen on the sign-in page', { reason: 'chosen_on_login_screen' }],
    ['a user who says no', { reason: 'user_denied' }],
    ['the icon a browser asks for', { reason: 'path_unknown', sent: '/favicon.ico' }],
  ])('is %s', (_, fact) => {
    const { events, index } = indexOf();
    refuse(events, fact);
    expect(index.count()).toBe(0);
  });

  it('is a nonce that was asked for and came', () => {
    let time = now;
    const { events, index } = indexOf(() => time);
    refuse(events, { reason: 'dpop_nonce_needed', error: 'use_dpop_nonce' });
    expect(index.count()).toBe(0); // it may come yet
    time += 10;
    expect(index.latest(1)).toMatchObject([{ reason: 'dpop_nonce_needed' }]);
    const token = { tokenId: 'tok_1', authorizationId: 'a', token: 't', iat: now, exp: now, client_id: 'frontend' };
    events.append({ type: 'token.issued', tokenType: 'access', format: 'opaque', grant_type: 'g', ...token }, 'req_2');
    expect(index.count()).toBe(0);
  });
});

describe('a silent failure', () => {
  const explanation = {
    title: 'Nobody came',
    why: 'Nobody came.',
    certainty: 'likely',
    others: ['x'],
    fixes: [],
    references: [],
  } as const;
  const ofAnyRefusal = detector(
    'code_not_redeemed',
    { event: event => (event.type === 'error.returned' ? event : undefined) },
    clues =>
      clues.map(({ id: eventId, at, requestId }) => ({
        client_id: 'frontend',
        title: 'Nobody came',
        at,
        eventId,
        requestId,
        explain: () => explanation,
      })),
  );

  it('is a problem among the others, with the explanation of its detector', () => {
    const events = createLog();
    const index = createProblemIndex(knownOf(events), [ofAnyRefusal]);
    refuse(events, { client_id: 'web' }, undefined, 'req_1');
    refuse(events, { client_id: 'web' }, undefined, 'req_2');
    const [first, second] = index.latest(9).toSorted((a, b) => a.kind.localeCompare(b.kind));
    expect(second).toMatchObject({
      id: 'prb_1-code_not_redeemed',
      kind: 'silent',
      code: 'code_not_redeemed',
      client_id: 'frontend',
      count: 2,
      requestIds: ['req_2', 'req_1'],
    });
    expect(first).toMatchObject({ kind: 'refusal', client_id: 'web', count: 2 });
    if (second === undefined) throw new Error('there is none');
    expect(index.explain(second)).toBe(explanation);
    expect(index.newestEventIds()).toHaveLength(2);
  });
});
