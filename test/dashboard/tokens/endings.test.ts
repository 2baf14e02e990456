import { describe, expect, it } from 'vitest';
import type { CodeIssued, EventFact, TokenIssued } from '../../../src/base/events/event.ts';
import { endingsOf, tokenPage } from '../../../src/dashboard/tokens/token-page.ts';
import { createStatusOf, endOf } from '../../../src/record/flows/token-status.ts';
import { codeFact, createLog, deskFor, issue, now, refreshFact, tokenFact } from '../running-dashboard.ts';

const ids = { tokenId: 'tok_1', authorizationId: 'auth-1', client_id: 'frontend' };
const ended: EventFact = { type: 'token.ended', ...ids };
const resumed: EventFact = { type: 'token.resumed', ...ids };

const api = (tokenCheck: 'local' | 'introspection') => ({
  api: { audience: [], tokenCheck, fits: () => true, isConfigured: () => false },
});

function endings(fact: TokenIssued | CodeIssued, tokenCheck: 'local' | 'introspection' = 'local') {
  const event = issue(createLog(), fact);
  return endingsOf({ event, status: 'valid', isEnded: false, now }, api(tokenCheck));
}

describe('Revoke says', () => {
  it('who refuses an access token, and who accepts it until when (RFC 7009 §3)', () => {
    expect(endings(tokenFact('tok_1'), 'introspection').revoke).toBe(
      'Introspection, UserInfo and the sample API refuse it and every other token from the same sign-in. An API that checks only the signature accepts it until 22:18:20 UTC.',
    );
  });

  it('that the sample API is among these, where it checks only the signature', () => {
    expect(endings(tokenFact('tok_1'), 'local').revoke).toContain(
      'The sample API checks only the signature (API_TOKEN_CHECK=local) and accepts it until 22:18:20 UTC, as every such API does.',
    );
  });

  it('that nobody accepts an opaque one any more', () => {
    expect(endings(tokenFact('tok_1', { format: 'opaque' })).revoke).not.toContain('accepts it until');
  });

  it('nothing of an ID token, which cannot be', () => {
    expect(endings(tokenFact('tok_1', { tokenType: 'id' })).revoke).toBeUndefined();
  });
});

describe('Expire now says', () => {
  it.each([
    ['an access token', tokenFact('tok_1'), 'An API that checks only the signature accepts it until 22:18:20 UTC.'],
    ['an opaque one', tokenFact('tok_1', { format: 'opaque' }), 'reports that at introspection'],
    ['an ID token', tokenFact('tok_1', { tokenType: 'id' }), 'does not notice'],
    ['a refresh token', refreshFact('tok_1'), 'issues no tokens for it'],
    ['a code', codeFact('tok_1'), 'issues no tokens for it'],
  ])('what it does to %s', (_, fact, words) => {
    expect(endings(fact).expire).toContain(words);
  });
});

describe('a token that was expired manually', () => {
  it('is expired, and valid again when that was taken back', () => {
    const events = createLog();
    const token = issue(events, tokenFact('tok_1'));
    const other = issue(events, tokenFact('tok_2'));
    const statuses = () => [token, other].map(createStatusOf(events, now));
    events.append(ended, 'sandbox');
    expect(statuses()).toEqual(['expired', 'valid']);
    expect(endOf(events, token)?.type).toBe('token.ended');
    events.append(resumed, 'sandbox');
    expect(statuses()).toEqual(['valid', 'valid']);
    expect(endOf(events, token)).toBeUndefined();
  });

  it.each([refreshFact('tok_1'), codeFact('tok_1'), tokenFact('tok_1', { tokenType: 'id' })])(
    'whatever its type',
    fact => {
      const events = createLog();
      const token = issue(events, fact);
      events.append(ended, 'sandbox');
      expect(createStatusOf(events, now)(token)).toBe('expired');
    },
  );

  it('says so on its page, with Undo for ten seconds and the way back after them', async () => {
    let time = now;
    const events = createLog(1000, () => time);
    const token = issue(events, tokenFact('tok_1'));
    events.append(ended, 'sandbox');
    const page = () => tokenPage(token, deskFor(events, { clock: () => time }), { done: 'expired', used: '' });
    expect(await page()).toMatchObject({ status: 'expired', done: { undo: 10 }, endings: { canResume: true } });
    expect((await page()).statusWords).toMatch(/^Expired manually\./);
    time += 10;
    const later = await page();
    expect(later.done.undo).toBeUndefined();
    expect(later.endings).toEqual({ canResume: true });
  });

  it('cannot be made good when its own time is over, too', async () => {
    const events = createLog();
    const token = issue(events, tokenFact('tok_1'));
    events.append(ended, 'sandbox');
    const { endings: left, statusWords } = await tokenPage(token, deskFor(events, { clock: () => now + 400 }));
    expect(left).toEqual({ canResume: false });
    expect(statusWords).toMatch(/^Every server that checks/);
  });
});
