import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { byPath } from '../../../src/sandbox/process/listening.ts';

const asked: string[] = [];
const named =
  (name: string): RequestListener =>
  () =>
    void asked.push(name);
const others = new Map([
  ['/blue', named('blue')],
  ['/tenants/green', named('green')],
  ['/i', named('gone')],
  ['/i/one', named('one')],
]);
const listener = byPath(named('first'), others);

function askedAt(url: string): string | undefined {
  asked.length = 0;
  listener({ url } as IncomingMessage, {} as ServerResponse);
  return asked[0];
}

describe('a request goes to the issuer', () => {
  it.each([
    ['/', 'first'],
    ['/oauth2/token', 'first'],
    ['/blue', 'blue'],
    ['/blue?x=/i/one', 'blue'],
    ['/blue/oauth2/token', 'blue'],
    ['/blueish', 'first'],
    ['/tenants', 'first'],
    ['/tenants/green/x/y', 'green'],
    ['/i/one/userinfo', 'one'],
    ['/i/two/userinfo', 'gone'],
    ['/.well-known/openid-configuration', 'first'],
    ['/.well-known/oauth-authorization-server/i/one', 'one'],
    ['', 'first'],
  ])('of %s', (url, name) => {
    expect(askedAt(url)).toBe(name);
  });

  it('that is there now', () => {
    others.set('/i/new', named('new'));
    expect(askedAt('/i/new/health')).toBe('new');
    others.delete('/i/new');
    expect(askedAt('/i/new/health')).toBe('gone');
  });

  it('after a bounded number of looks, however long the path is', () => {
    const looks = vi.spyOn(others, 'get');
    expect(askedAt('/x'.repeat(8000))).toBe('first');
    expect(looks.mock.calls.length).toBeLessThanOrEqual(32);
    looks.mockRestore();
  });
});
