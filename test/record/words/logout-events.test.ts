import { describe, expect, it } from 'vitest';
import type { LogoutNotified } from '../../../src/base/events/event.ts';
import { describe as wordsFor } from '../../../src/record/words/event-words.ts';

const notified = (changes: Partial<LogoutNotified>) =>
  wordsFor({
    ...{ id: 1, at: 1, requestId: 'req_1', type: 'logout.notified', sid: 's', client_id: 'shop' },
    ...{ channel: 'back', url: 'http://localhost:4000/out' },
    ...changes,
  });

describe('a notice of a logout in words', () => {
  it.each<[string, Partial<LogoutNotified>, string, Record<string, string>]>([
    [
      'that was taken',
      { status: 200, milliseconds: 12.34 },
      'was notified of the logout',
      { answer: '200', took: '12.3 ms' },
    ],
    ['that was refused', { status: 400, failure: 'no' }, 'was not notified', { answer: '400', failure: 'no' }],
    ['that got no response', { failure: 'it hangs' }, 'was not notified', { failure: 'it hangs' }],
    ['in an iframe', { channel: 'front' }, 'by an iframe in the browser', {}],
  ])('%s', (_what, changes, title, facts) => {
    const words = notified(changes);
    expect(words.title).toContain(`Client shop was`);
    expect(words.title).toContain(title);
    expect(Object.fromEntries(words.facts)).toEqual({ url: 'http://localhost:4000/out', ...facts });
  });

  it('says whose login ended a session', () => {
    const stamp = { id: 1, at: 1, requestId: 'req_1' };
    const words = wordsFor({ ...stamp, type: 'session.ended', sub: 'alice', sid: 's', replacedBy: 'bob' });
    expect(words).toEqual({ title: 'The session of alice ended', facts: [['because of a sign-in of', 'bob']] });
  });
});
