import { describe, expect, it } from 'vitest';
import type { EventFact } from '../../src/base/events/event.ts';
import { tokenPage } from '../../src/dashboard/tokens/token-page.ts';
import { describe as inWords } from '../../src/record/words/event-words.ts';
import { createLog, deskFor, issue, issuer, jwt, now, tokenFact } from './running-dashboard.ts';

const told = (fact: EventFact) => inWords(createLog().append(fact, 'sandbox'));

describe('the history says in words', () => {
  it('that a key was replaced, by which, and until when it is published', () => {
    const rotated = { alg: 'ES256', kid: 'new', replaced: 'old', publishedUntil: now };
    expect(told({ type: 'key.rotated', ...rotated })).toEqual({
      title: 'A new ES256 key is used for signing from now on',
      facts: [
        ['kid', 'new'],
        ['previous key', 'old'],
        ['published until', new Date(now * 1000).toISOString()],
      ],
    });
  });

  it('that the keys of a client were fetched, from where and which', () => {
    const fetched = { client_id: 'shop', jwks_uri: 'http://localhost:3000/jwks', kids: ['one', 'two'] };
    expect(told({ type: 'client_keys.fetched', ...fetched })).toEqual({
      title: 'The keys of client shop were fetched',
      facts: [
        ['jwks_uri', 'http://localhost:3000/jwks'],
        ['kids', 'one, two'],
      ],
    });
  });
});

it('the page of an encrypted ID token shows what was sent, and explains what is inside', async () => {
  const events = createLog();
  const signed = jwt({ iss: issuer, aud: 'frontend' });
  const event = issue(events, tokenFact('tok_sealed', { tokenType: 'id', token: 'a.b.c.d.e', signed }));
  const page = await tokenPage(event, deskFor(events));
  expect(page.token).toBe('a.b.c.d.e');
  expect(page.claims.map(({ name }) => name)).toEqual(['iss', 'aud']);
});
