import { describe, expect, it } from 'vitest';
import type { EventFact } from '../../src/base/events/event.ts';
import { familyOf } from '../../src/dashboard/tokens/family.ts';
import { createStatusOf } from '../../src/record/flows/token-status.ts';
import { describe as inWords } from '../../src/record/words/event-words.ts';
import { codeFact, createLog, issue, now, refreshFact, tokenFact } from './running-dashboard.ts';

const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
const revocationOf = (authorizationId: string): EventFact => ({
  type: 'token.revoked',
  authorizationId,
  client_id: 'frontend',
  reason: 'revoked_by_client',
});

/** A login, what was exchanged for its access token, and what was exchanged for that. */
function exchanged() {
  const events = createLog();
  const code = issue(events, codeFact('tok_code'));
  const login = issue(events, tokenFact('tok_login', { parentTokenId: 'tok_code' }));
  const first = issue(
    events,
    tokenFact('tok_first', { authorizationId: 'auth-1~auth-2', grant_type, parentTokenId: 'tok_login' }),
  );
  const second = issue(
    events,
    refreshFact('tok_second', { authorizationId: 'auth-1~auth-2~auth-3', grant_type, parentTokenId: 'tok_first' }),
  );
  return { events, code, login, first, second };
}

describe('a token from an exchange', () => {
  it('is revoked with what it was exchanged for', () => {
    const { events, login, first, second } = exchanged();
    const others = issue(events, tokenFact('tok_other', { authorizationId: 'auth-10' }));
    events.append(revocationOf('auth-1'), 'req_2');
    expect([login, first, second, others].map(createStatusOf(events, now))).toEqual([
      ...['revoked', 'revoked', 'revoked', 'valid'],
    ]);
  });

  it('is revoked alone by its own client', () => {
    const { events, login, first, second } = exchanged();
    events.append(revocationOf('auth-1~auth-2'), 'req_2');
    expect([login, first, second].map(createStatusOf(events, now))).toEqual(['valid', 'revoked', 'revoked']);
  });

  it('is shown below what it was exchanged for', () => {
    const { events, second } = exchanged();
    const [code] = familyOf(events, second, now).branches;
    expect(code).toMatchObject({ tokenId: 'tok_code', gave: 'was redeemed for' });
    const [login] = code?.children ?? [];
    expect(login).toMatchObject({ tokenId: 'tok_login', gave: 'was exchanged for' });
    const [first] = login?.children ?? [];
    expect(first).toMatchObject({ tokenId: 'tok_first', gave: 'was exchanged for' });
    expect(first?.children).toMatchObject([{ tokenId: 'tok_second', current: true, gave: '' }]);
  });

  it('is shown on the page of the login, too', () => {
    const { events, login } = exchanged();
    const text = JSON.stringify(familyOf(events, login, now));
    expect(text).toContain('tok_second');
  });

  it('that is refreshed shows a refresh', () => {
    const { events, second } = exchanged();
    const { authorizationId } = second;
    issue(events, tokenFact('tok_third', { authorizationId, grant_type, parentTokenId: 'tok_second' }));
    expect(JSON.stringify(familyOf(events, second, now))).toContain('was refreshed, which issued');
  });
});

describe('in words', () => {
  const stamp = { id: 1, at: now, requestId: 'req_1' };

  it('a revocation says what it ended', () => {
    expect(inWords({ ...revocationOf('auth-1'), ...stamp })).toMatchObject({
      title: 'The client revoked a token, and every token of the same authorization with it',
    });
  });

  it('an introspection says who asked, what the state was, and which token it was about', () => {
    const event = { type: 'token.introspected', client_id: 'api', state: 'not_yet_valid', about: 'tok_1' } as const;
    expect(inWords({ ...event, issuedTo: 'frontend', ...stamp })).toEqual({
      title: 'Client api asked about a token; it is not yet valid',
      facts: [['issued to', 'frontend']],
      tokenId: 'tok_1',
    });
  });
});
