import { describe, expect, it } from 'vitest';
import { allowsPostLogoutRedirectUri, allowsRedirectUri, isPublic } from '../../../src/protocol/clients/client.ts';
import { frontend, sensor, web } from '../../support/server.ts';

describe('a redirect URI (RFC 6749 §3.1.2.3, RFC 8252 §7.3)', () => {
  const registered = {
    ...web,
    redirect_uris: [
      'https://app.example/callback',
      'https://app.example/query?tenant=1',
      'http://127.0.0.1:5000/cb',
      'https://[::1]:8443/secure',
      'http://[::1]/cb?x=1',
      'http://localhost:3000/callback',
      'com.example.app:/callback',
    ],
  };

  it.each([
    'https://app.example/callback',
    'https://app.example/query?tenant=1',
    'http://localhost:3000/callback',
    'com.example.app:/callback',
    'http://127.0.0.1:5000/cb',
    'http://127.0.0.1:61234/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:8080/cb?x=1',
  ])('is accepted as registered: %s', uri => {
    expect(allowsRedirectUri(registered, uri)).toBe(true);
  });

  it.each([
    'https://app.example/callback/',
    'https://app.example/Callback',
    'https://APP.example/callback',
    'HTTPS://app.example/callback',
    'https://app.example:443/callback',
    'https://app.example/callback?',
    'https://app.example/callback?x=1',
    'https://app.example/callback#f',
    'https://app.example/callback#',
    'https://app.example/./callback',
    'https://app.example/x/../callback',
    'https://app.example/callback/../callback',
    'https://app.example/%63allback',
    'https://app.example/callback%2f..',
    'https://app.example//callback',
    'https://app.example/query',
    'https://app.example/query?tenant=2',
    'https://app.example/query?tenant=1&x=1',
    'https://user@app.example/callback',
    'https://app.example@evil.example/callback',
    'https://app.example.evil.example/callback',
    'https://evil.example/callback',
    'http://app.example/callback',
    ' https://app.example/callback',
    'https://app.example/callback ',
    'http://localhost:3001/callback',
    'http://127.0.0.1:5000/CB',
    'http://127.0.0.1:5000/cb/',
    'http://127.0.0.1:5000/cb?x=1',
    'http://127.0.0.1:5000/cb#f',
    'https://127.0.0.1:5000/cb',
    'https://[::1]:9443/secure',
    'http://[::1]:8443/secure',
    'http://127.0.0.2:5000/cb',
    'http://127.1:5000/cb',
    'http://2130706433/cb',
    'http://[::1]:8080/cb?x=2',
    'http://[::ffff:127.0.0.1]/cb',
    'http://user@127.0.0.1:5000/cb',
    'http://127.0.0.1:5000@evil.example/cb',
    'http://127.0.0.1:80@evil.example/cb',
    'http://127.0.0.1:99999/cb',
    'com.example.app:/other',
    '',
  ])('is refused: %j', uri => {
    expect(allowsRedirectUri(registered, uri)).toBe(false);
  });
});

describe('loopback_redirects', () => {
  it.each([
    'http://localhost',
    'http://localhost/',
    'http://localhost:1/any/path?and=query',
    'http://127.0.0.1:65535/x',
    'http://[::1]:3000/cb',
    "http://localhost:3000/a-b._~!$&'()*+,;=:@%20",
    'https://localhost:5173/callback',
    'https://[::1]/cb',
  ])('accepts %s', uri => {
    expect(allowsRedirectUri(frontend, uri)).toBe(true);
  });

  it.each([
    'http://localhost:80@evil.example/',
    'http://localhost:80@evil/',
    'http://localhost@evil.example/',
    'http://user@localhost/',
    'http://localhost.evil.example/',
    'http://evil.example/?http://localhost/',
    'http://localhost:123456/',
    'http://localhost:99999/',
    'http://localhost:-1/',
    'http://localhost:/',
    'http://localhost#x',
    'http://localhost/x#y',
    'http://localhost\\@evil.example/',
    'http://localhost/\\evil',
    'http://LOCALHOST/',
    'HTTP://localhost/',
    'http://localhost./',
    'https://localhost:80@evil.example/',
    'HTTPS://localhost/',
    'https:localhost/',
    'httpss://localhost/',
    'http:localhost/',
    'http:/localhost/',
    'http:///localhost/',
    'http://127.0.0.2/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://localhost/with space',
    'http://localhost/\n',
    'http://localhost/€',
    'http://localhost/ü',
    'http://localhost/"<script>',
    'javascript:alert(1)//http://localhost/',
    '//localhost/',
  ])('does not accept %j', uri => {
    expect(allowsRedirectUri(frontend, uri)).toBe(false);
  });

  it('counts for the address after logout too', () => {
    expect(allowsPostLogoutRedirectUri(frontend, 'http://localhost:1234/bye')).toBe(true);
    expect(allowsPostLogoutRedirectUri(web, 'http://localhost:1234/bye')).toBe(false);
  });
});

describe('http://localhost of a native application (RFC 8252 §7.3, §8.3)', () => {
  const native = { ...web, application_type: 'native', redirect_uris: ['http://localhost/cb'] } as const;

  it.each(['http://localhost/cb', 'http://localhost:5000/cb', 'http://localhost:65535/cb'])('matches %s', uri => {
    expect(allowsRedirectUri(native, uri)).toBe(true);
  });

  it.each([
    'http://localhost:5000/other',
    'https://localhost:5000/cb',
    'http://127.0.0.1:5000/cb',
    'http://localhost.example:5000/cb',
  ])('does not match %s', uri => {
    expect(allowsRedirectUri(native, uri)).toBe(false);
  });

  it('matches no other port for a client that does not say it is native', () => {
    const { application_type: _, ...unsaid } = native;
    for (const client of [unsaid, { ...native, application_type: 'web' } as const]) {
      expect(allowsRedirectUri(client, 'http://localhost:5000/cb')).toBe(false);
    }
  });
});

describe('a post_logout_redirect_uri', () => {
  it('is one of its own list, not of the redirect URIs', () => {
    expect(allowsPostLogoutRedirectUri(web, 'https://shop.example/bye')).toBe(true);
    expect(allowsPostLogoutRedirectUri(web, 'https://shop.example/callback')).toBe(false);
    expect(allowsPostLogoutRedirectUri(web, 'https://shop.example/bye?x=1')).toBe(false);
  });
});

it.each([
  [frontend, true],
  [sensor, false],
  [web, false],
  [{ ...web, token_endpoint_auth_methods: ['none', 'client_secret_basic'] as const }, false],
])('a client is public when it has no method but none', (client, expected) => {
  expect(isPublic(client)).toBe(expected);
});
