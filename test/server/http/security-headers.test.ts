import { describe, expect, it } from 'vitest';
import { checkSessionHeaders, loginHeaders, logoutHeaders } from '../../../src/server/http/security-headers.ts';
import { messageHeaders } from '../../../src/server/http/signin/response-page.ts';

const policy = (headers: Readonly<Record<string, string>>) =>
  (headers['Content-Security-Policy'] ?? '').split('; ').filter(part => part.startsWith('frame-'));

describe('the page after a logout', () => {
  it.each([
    [['https://a.test/out?sid=1'], 'https://a.test'],
    [['http://localhost:1/x', 'http://localhost:1/y', 'http://localhost:2/'], 'http://localhost:1 http://localhost:2'],
    [['http://[::1]:3000/out'], 'http:'],
  ])('may frame the origins of %j and no other', (frames, sources) => {
    expect(policy(logoutHeaders(frames))).toEqual(["frame-ancestors 'none'", `frame-src ${sources}`]);
  });

  it('is like any other where nothing is framed', () => {
    expect(logoutHeaders([])).toEqual(loginHeaders);
  });
});

it('the page with a message may be framed by the application alone', () => {
  expect(policy(messageHeaders('https://a.test'))).toEqual(['frame-ancestors https://a.test']);
  expect(policy(messageHeaders('http://[::1]:3000'))).toEqual(['frame-ancestors http:']);
  expect(messageHeaders('https://a.test')).not.toHaveProperty('X-Frame-Options');
});

it('the page of the session check may be framed, and does nothing but run its script', () => {
  expect(policy(checkSessionHeaders)).toEqual([]);
  expect(checkSessionHeaders).not.toHaveProperty('X-Frame-Options');
  expect(checkSessionHeaders['Content-Security-Policy']).toContain("default-src 'none'; script-src 'self'");
});
