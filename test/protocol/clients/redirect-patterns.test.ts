import { describe, expect, it } from 'vitest';
import { allowsPostLogoutRedirectUri, allowsRedirectUri, fitsPattern } from '../../../src/protocol/clients/client.ts';
import { webOriginsAmong } from '../../../src/protocol/clients/client-directory.ts';
import { redirectPatternProblem } from '../../../src/sandbox/config/redirect-pattern.ts';
import { publicClient } from '../../support/client.ts';

const preview = 'https://*.preview.example.com/cb';
const inside = 'https://shop-*-crew.example.app/cb';
const below = 'https://shop.example/app/*';

describe('a pattern of redirect URIs', () => {
  it.each([
    [preview, 'https://pr-12.preview.example.com/cb'],
    [inside, 'https://shop-pr-12-crew.example.app/cb'],
    [inside, 'https://shop-a-crew.example.app/cb'],
    ['https://app-*.example.com/*', 'https://app-12.example.com/cb?a=1'],
    ['https://*-shop.preview.example.com:8443/cb', 'https://a-shop.preview.example.com:8443/cb'],
    ['http://app-*.localhost:3000/cb', 'http://app-1.localhost:3000/cb'],
    [below, 'https://shop.example/app/'],
    [below, 'https://shop.example/app/a/b?c=%2Fd'],
    ['https://*.preview.example.com:8443/*', 'https://a.preview.example.com:8443/x'],
    ['http://localhost:3000/*', 'http://localhost:3000/cb'],
    ['com.example.app:/*', 'com.example.app:/cb'],
  ])('%s fits %s', (pattern, uri) => {
    expect(redirectPatternProblem(pattern)).toBeUndefined();
    expect(fitsPattern(pattern, uri)).toBe(true);
  });

  it.each([
    // other hosts that look like it
    [preview, 'https://preview.example.com/cb'],
    [preview, 'https://a.b.preview.example.com/cb'],
    [preview, 'https://evil.example/.preview.example.com/cb'],
    [preview, 'https://evil.example?.preview.example.com/cb'],
    [preview, 'https://evil.example#.preview.example.com/cb'],
    [preview, 'https://evil.example\\.preview.example.com/cb'],
    [preview, 'https://user@a.preview.example.com/cb'],
    [preview, 'https://evil.example:443@a.preview.example.com/cb'],
    [preview, 'https://a.preview.example.com.evil.example/cb'],
    [preview, 'https://a.previewXexample.com/cb'],
    [preview, 'https://A.preview.example.com/cb'],
    [preview, 'https://.preview.example.com/cb'],
    [preview, 'https://ä.preview.example.com/cb'],
    [preview, 'https://a.preview.example.com:444/cb'],
    [preview, 'http://a.preview.example.com/cb'],
    [preview, 'https://a.preview.example.com/cb/'],
    [preview, 'https://a.preview.example.com/cb\n'],
    [inside, 'https://shop-crew.example.app/cb'],
    [inside, 'https://shop--crew.example.app/cb'],
    [inside, 'https://shop-a.b-crew.example.app/cb'],
    [inside, 'https://shop-evil.test/-crew.example.app/cb'],
    [inside, 'https://shop-evil.test?-crew.example.app/cb'],
    [inside, 'https://shop-evil.test#-crew.example.app/cb'],
    [inside, 'https://shop-@evil-crew.example.app/cb'],
    [inside, 'https://shop-%2e-crew.example.app/cb'],
    [inside, 'https://shop-a_b-crew.example.app/cb'],
    [inside, 'https://shop-A-crew.example.app/cb'],
    [inside, 'https://x.shop-a-crew.example.app/cb'],
    [inside, 'https://other-a-crew.example.app/cb'],
    [inside, 'https://shop-a-crew.example.app.evil.test/cb'],
    // other paths
    [below, 'https://shop.example/app'],
    [below, 'https://shop.example/app/../admin'],
    [below, 'https://shop.example/app/%2e%2e/admin'],
    [below, 'https://shop.example/app/.%2E/admin'],
    [below, 'https://shop.example/app/..%2fadmin'],
    [below, 'https://shop.example/app/a%5c..%5cadmin'],
    [below, 'https://shop.example/app/..\\admin'],
    [below, 'https://shop.example/app/#fragment'],
    [below, 'https://shop.example/app/ a'],
    [below, 'https://shop.example/app/\r\nLocation: x'],
    [below, 'https://shop.example.evil.example/app/'],
    ['com.example.app:/*', 'com.example.apps:/cb'],
  ])('%s does not fit %s', (pattern, uri) => {
    expect(fitsPattern(pattern, uri)).toBe(false);
  });

  it.each([
    ['https://shop.example/cb', 'redirect_uris'],
    ['https://shop.example*', 'a slash between the host and the *'],
    ['https://*', 'a slash between the host and the *'],
    ['*', 'a slash between the host and the *'],
    ['https://*.com/cb', 'at least two labels'],
    ['https://*.com:8443/cb', 'at least two labels'],
    ['https://*.com./cb', 'at least two labels'],
    ['https://a.*.example.com/cb', 'the first label of the host'],
    ['https://app-*.com/cb', 'at least two labels'],
    ['https://app-*.com./cb', 'at least two labels'],
    ['https://app-*./cb', 'at least two labels'],
    ['https://app-*/cb', 'the first label of the host'],
    ['https://*-*.example.com/cb', 'the first label of the host'],
    ['https://shop.example-*.com/cb', 'the first label of the host'],
    ['https://user*.example.com@evil.test/cb', 'without user name'],
    ['https://shop.example/*/cb', 'the first label of the host'],
    ['https://*.*.example.com/cb', 'the first label of the host'],
    ['https://shop.example/a/../*', 'the form that browsers send: https://shop.example/*'],
    ['HTTPS://Shop.example/*', 'the form that browsers send: https://shop.example/*'],
    ['https://shop.example/#*', 'without a fragment'],
    ['https://user@shop.example/*', 'without user name'],
    ['javascript:*', 'not javascript:'],
  ])('is refused as %s', (pattern, expected) => {
    expect(redirectPatternProblem(pattern)).toContain(expected);
  });
});

describe('a client with patterns', () => {
  const plain = { ...publicClient, redirect_uris: ['https://shop.example/cb'], loopback_redirects: false };
  const relaxed = { ...plain, redirect_uri_patterns: [preview], post_logout_redirect_uri_patterns: [below] };
  const address = 'https://a.preview.example.com/cb';

  it('accepts addresses that fit, and without patterns none of them', () => {
    expect([relaxed, plain].map(client => allowsRedirectUri(client, address))).toEqual([true, false]);
    const after = 'https://shop.example/app/bye';
    expect([relaxed, plain].map(client => allowsPostLogoutRedirectUri(client, after))).toEqual([true, false]);
    expect(allowsRedirectUri(relaxed, after)).toBe(false);
    expect(allowsPostLogoutRedirectUri(relaxed, address)).toBe(false);
  });

  it('lets pages of the matching origins call, and no others', () => {
    const origins = webOriginsAmong([relaxed]);
    expect([...origins]).toEqual(
      ['https://shop.example', 'https://*.preview.example.com', 'https://shop.example'].filter(
        (each, index, all) => all.indexOf(each) === index,
      ),
    );
    expect(origins.has('https://a.preview.example.com')).toBe(true);
    for (const origin of ['https://preview.example.com', 'https://a.preview.example.com.evil.example', 'null'])
      expect(origins.has(origin)).toBe(false);
    expect(webOriginsAmong([plain]).has('https://a.preview.example.com')).toBe(false);
    expect(
      webOriginsAmong([{ ...plain, redirect_uri_patterns: [inside] }]).has('https://shop-a-crew.example.app'),
    ).toBe(true);
    const starred = webOriginsAmong([{ ...plain, web_origins: ['https://*.preview.example.com'] }]);
    expect(starred.has('https://a.preview.example.com')).toBe(false);
  });
});
