import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkSessionState, cookieValue, sha256 } from '../../src/dashboard/browser/session-check.ts';

describe('SHA-256 without WebCrypto', () => {
  it.each([...Array.from({ length: 140 }, (_, length) => length), 1000])(
    'hashes %s characters as Node does',
    length => {
      const text = 'añ漢x'.repeat(length).slice(0, length);
      expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
    },
  );
});

describe('the answer of the check_session_iframe', () => {
  const origin = 'http://localhost:5173';
  const state = (client_id: string) => `${sha256(`${client_id} ${origin} now salt`)}.salt`;

  it.each([
    ['the sign-in is the same', `spa ${state('spa')}`, 'now', 'unchanged'],
    ['the sign-in is another', `spa ${state('spa')}`, 'later', 'changed'],
    ['nobody is signed in', `spa ${state('spa')}`, '', 'changed'],
    ['a client_id has spaces', `my own spa ${state('my own spa')}`, 'now', 'unchanged'],
    ['the state is of another client', `spa ${state('web')}`, 'now', 'changed'],
    ['the state is missing', 'spa', 'now', 'error'],
    ['the client_id is missing', state('spa'), 'now', 'error'],
    ['the state has no salt', `spa ${sha256('x')}`, 'now', 'error'],
    ['the state is no hash', 'spa abc.def', 'now', 'error'],
    ['the message is no text', { client_id: 'spa' }, 'now', 'error'],
    ['the message is nothing', undefined, 'now', 'error'],
  ])('when %s', (_when, message, browserState, status) => {
    expect(checkSessionState(message, origin, browserState)).toBe(status);
  });

  it.each([
    ['a=1; grantbox_state_9000=x-y; b=2', 'x-y'],
    ['grantbox_state_90001=no', ''],
    ['', ''],
  ])('reads its cookie out of %s', (cookies, value) => {
    expect(cookieValue(cookies, 'grantbox_state_9000')).toBe(value);
  });
});
