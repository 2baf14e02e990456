import { describe, expect, it } from 'vitest';
import type { EventFact } from '../../src/base/events/event.ts';
import { createStatusOf } from '../../src/record/flows/token-status.ts';
import { codeFact, createLog, issue, now, refreshFact, tokenFact } from './running-dashboard.ts';

const revoked: EventFact = {
  type: 'token.revoked',
  authorizationId: 'auth-1',
  client_id: 'frontend',
  reason: 'refresh_token_reused',
};
const idFact = tokenFact('tok_id', { tokenType: 'id' });

describe('the status of', () => {
  it.each([
    ['a token before its time is over', now, 'valid'],
    ['a token in its last second', now + 299.9, 'valid'],
    ['a token from exp on', now + 300, 'expired'],
  ])('%s', (_, at, expected) => {
    const events = createLog();
    expect(createStatusOf(events, at)(issue(events, tokenFact('tok_1')))).toBe(expected);
  });

  it('a code that was redeemed is used, also after its time', () => {
    const events = createLog();
    const code = issue(events, codeFact('tok_code'));
    expect(createStatusOf(events, now)(code)).toBe('valid');
    issue(events, tokenFact('tok_access', { parentTokenId: 'tok_code' }));
    expect(createStatusOf(events, now)(code)).toBe('used');
    expect(createStatusOf(events, now + 100)(code)).toBe('used');
  });

  it('a rotated refresh token is replaced', () => {
    const events = createLog();
    const first = issue(events, refreshFact('tok_r1'));
    const second = issue(events, refreshFact('tok_r2', { parentTokenId: 'tok_r1' }));
    const statusOf = createStatusOf(events, now);
    expect([first, second].map(statusOf)).toEqual(['replaced', 'valid']);
  });

  it('a refresh token without rotation stays valid when it is used', () => {
    const events = createLog();
    const refresh = issue(events, refreshFact('tok_r1'));
    issue(events, tokenFact('tok_access', { parentTokenId: 'tok_r1' }));
    expect(createStatusOf(events, now)(refresh)).toBe('valid');
  });

  it('a revocation ends what was issued before it, and only under its authorization', () => {
    const events = createLog();
    const access = issue(events, tokenFact('tok_1'));
    const refresh = issue(events, refreshFact('tok_2'));
    const other = issue(events, tokenFact('tok_3', { authorizationId: 'auth-2' }));
    events.append(revoked, 'req_2');
    const later = issue(events, tokenFact('tok_4'));
    expect([access, refresh, other, later].map(createStatusOf(events, now))).toEqual([
      'revoked',
      'revoked',
      'valid',
      'valid',
    ]);
  });

  it('a redeemed code stays used, and an ID token is never revoked', () => {
    const events = createLog();
    const code = issue(events, codeFact('tok_code'));
    const id = issue(events, { ...idFact, parentTokenId: 'tok_code' });
    events.append(revoked, 'req_2');
    expect([code, id].map(createStatusOf(events, now))).toEqual(['used', 'valid']);
  });

  it('a revoked token is revoked rather than expired', () => {
    const events = createLog();
    const access = issue(events, tokenFact('tok_1'));
    events.append(revoked, 'req_2');
    expect(createStatusOf(events, now + 1000)(access)).toBe('revoked');
  });
});
