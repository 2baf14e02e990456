import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventFact } from '../../../../src/base/events/event.ts';
import { createEventLog } from '../../../../src/base/events/event-log.ts';
import { OAuthError } from '../../../../src/protocol/errors.ts';
import { eventFilter } from '../../../../src/sandbox/control/events/event-filter.ts';

const now = 1_000_000;

function logOf(...facts: EventFact[]) {
  const log = createEventLog({ capacity: 100, now: () => now });
  for (const fact of facts) log.append(fact, 'req_1');
  return log;
}
const refused: EventFact = {
  ...{ type: 'error.returned', endpoint: 'token', status: 400, error: 'invalid_grant', reason: 'pkce_mismatch' },
  ...{ description: 'code_verifier does not match', form: 'json', client_id: 'frontend' },
};
const loggedIn: EventFact = {
  ...{ type: 'client.authenticated', client_id: 'sensor', method: 'client_secret_basic' },
};
const looked: EventFact = {
  ...{ type: 'page.served', endpoint: 'dashboard', method: 'GET', path: '/dashboard', status: 200, milliseconds: 1 },
};
const log = logOf(refused, loggedIn, looked);
const found = (q: string, type?: string) =>
  log
    .keptSince(0)
    .filter(eventFilter({ q, type }, now))
    .map(event => event.type);

describe('a filter of events', () => {
  it.each<[string, string[]]>([
    ['', ['error.returned', 'client.authenticated']],
    ['client:frontend', ['error.returned']],
    ['-client:frontend', ['client.authenticated']],
    ['code:pkce_mismatch', ['error.returned']],
    ['code:invalid_grant status:4xx', ['error.returned']],
    ['status:>=400', ['error.returned']],
    ['member.method:client_secret_*', ['client.authenticated']],
    ['member.form:', ['error.returned']],
    ['method:client_secret_basic', ['client.authenticated']],
    ['verifier', ['error.returned']],
    ['request:req_1 type:client.authenticated', ['client.authenticated']],
    ['type:page.served', ['page.served']],
    ['age:<5m', ['error.returned', 'client.authenticated']],
    ['age:>5m', []],
  ])('finds by %j', (q, types) => {
    expect(found(q)).toEqual(types);
  });

  it('refuses a type there is none of, with the nearest', () => {
    const refused = (type: string) => {
      try {
        return eventFilter({ type }, now);
      } catch (error) {
        return error;
      }
    };
    expect(refused('client.authenticated, tokn.issued')).toMatchObject({
      details: { problems: [{ member: 'type', sent: 'tokn.issued', nearest: 'token.issued' }] },
    });
  });

  it('takes types with commas between', () => {
    expect(found('', 'page.served, error.returned')).toEqual(['error.returned', 'page.served']);
  });

  it('either reads a query or says what is wrong with it, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), q => {
        try {
          found(q);
        } catch (error) {
          if (!(error instanceof OAuthError)) throw error;
          expect(error.details.problems?.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('finds what its own words say: a word of an event finds the event', () => {
    const word = fc.stringMatching(/^[a-z][a-z_]{2,20}$/);
    fc.assert(
      fc.property(word, word, (client_id, reason) => {
        const own = logOf({ ...refused, client_id, reason }, loggedIn);
        const of = (q: string) => own.keptSince(0).filter(eventFilter({ q }, now)).length;
        expect(of(`client:${client_id} code:${reason} ${client_id}`)).toBe(1);
        expect(of(`client:${client_id} -code:${reason}`)).toBe(0);
      }),
    );
  });
});
