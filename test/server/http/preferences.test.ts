import { describe, expect, it } from 'vitest';
import { createPreferences, inTheme } from '../../../src/server/http/preferences.ts';

const read = (cookie?: string, issuer = 'http://localhost:9000') =>
  createPreferences(issuer).read({ headers: cookie === undefined ? {} : { cookie } });

describe('how a browser sees the pages', () => {
  it.each([
    { theme: 'system', keys: true, secrets: 'shown', tools: false },
    { theme: 'dark', keys: false, secrets: 'hidden', tools: true },
    { theme: 'light', keys: true, secrets: 'hidden', tools: false },
  ] as const)('comes back from its cookie: $theme', preferences => {
    const [cookie] = createPreferences('http://localhost:9000').cookie(preferences).split(';');
    expect(read(cookie)).toEqual(preferences);
  });

  it('is the default without a cookie, or with one of another issuer', () => {
    const standard = { theme: 'system', keys: true, secrets: 'shown', tools: false };
    expect(read()).toEqual(standard);
    expect(read('grantbox_view_9001=dark')).toEqual(standard);
    expect(read('grantbox_view_9000=nonsense')).toEqual(standard);
  });

  it('is kept for the path of the issuer, and over HTTPS only where it speaks that', () => {
    const { cookie } = createPreferences('https://sandbox.example/tenant-a');
    expect(cookie({ theme: 'dark', keys: true, secrets: 'shown', tools: false })).toBe(
      'grantbox_view!tenant-a=dark; Path=/tenant-a; Max-Age=31536000; HttpOnly; SameSite=Strict; Secure',
    );
  });
});

describe('a page', () => {
  it('has its theme on the root element, and only there', () => {
    const page = '<!doctype html>\n<html lang="en"><p>&lt;html></p></html>';
    expect(inTheme(page, 'dark')).toBe('<!doctype html>\n<html data-theme="dark" lang="en"><p>&lt;html></p></html>');
    expect(inTheme(page, 'system')).toBe(page);
    expect(inTheme('{"html": "<html"}', 'dark')).toBe('{"html": "<html"}');
  });
});
