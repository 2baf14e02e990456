import { describe, expect, it } from 'vitest';
import { describe as inWords } from '../../src/dashboard/event-words.ts';
import { lineageOf } from '../../src/dashboard/lineage.ts';
import { createStatusOf } from '../../src/dashboard/token-status.ts';
import type { EventFact } from '../../src/events/event.ts';
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

  it('shows the way from the login to it', () => {
    const { events, second } = exchanged();
    const { steps } = lineageOf(events, second, now);
    expect(steps.map(({ words, from, tokens }) => [words, from, tokens.map(({ tokenId }) => tokenId)])).toEqual([
      ['Login gave', undefined, ['tok_code']],
      ['Code gave', 'tok_code', ['tok_login']],
      ['Exchange gave', 'tok_login', ['tok_first']],
      ['Exchange gave', 'tok_first', ['tok_second']],
    ]);
  });

  it('that is refreshed shows a refresh', () => {
    const { events, second } = exchanged();
    issue(
      events,
      tokenFact('tok_third', { authorizationId: second.authorizationId, grant_type, parentTokenId: 'tok_second' }),
    );
    expect(lineageOf(events, second, now).steps.at(-1)).toMatchObject({ words: 'Refresh gave', from: 'tok_second' });
  });
});

describe('in words', () => {
  const stamp = { id: 1, at: now, requestId: 'req_1' };

  it('a revocation says what it ended', () => {
    expect(inWords({ ...revocationOf('auth-1'), ...stamp })).toMatchObject({
      title: 'The client revoked a token, and with it everything from the same authorization',
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
