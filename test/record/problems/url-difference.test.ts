import { describe, expect, it } from 'vitest';
import { areAlike, markedAgainst, textOf, urlDifference } from '../../../src/record/problems/url-difference.ts';

const marked = (pieces: readonly { text: string; differs: boolean }[]) =>
  pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');

describe('two addresses', () => {
  it.each([
    ['http://127.0.0.1:5173/callback', 'http://localhost:5173/callback', ['host'], 'http://[127.0.0.1]:5173/callback'],
    ['http://localhost:3000/callback', 'http://localhost:5173/callback', ['port'], 'http://localhost[:3000]/callback'],
    ['https://localhost/callback', 'http://localhost/callback', ['scheme'], '[https://]localhost/callback'],
    ['http://localhost/callback/', 'http://localhost/callback', ['slash at the end'], 'http://localhost/callback[/]'],
    ['http://localhost/Callback', 'http://localhost/callback', ['case'], 'http://localhost/[Callback]'],
    ['http://localhost/a/callback', 'http://localhost/b/callback', ['path'], 'http://localhost/[a]/callback'],
    ['http://localhost/callback', 'http://localhost', ['path'], 'http://localhost[/callback]'],
    ['http://localhost/cb', 'http://localhost/callback', ['path'], 'http://localhost/[cb]'],
    ['http://localhost/auth/callback', 'http://localhost/callback', ['path'], 'http://localhost[/auth]/callback'],
    ['http://localhost/', 'http://localhost/callback', ['path'], 'http://localhost[/]'],
    ['http://localhost/?a=1', 'http://localhost/?a=2', ['query'], 'http://localhost/?a=[1]'],
    ['http://localhost/#top', 'http://localhost/', ['fragment'], 'http://localhost/[#top]'],
    ['http://bob@localhost/', 'http://localhost/', ['user name'], 'http://[bob@]localhost/'],
    ['http://[::1]:80/', 'http://localhost:80/', ['host'], 'http://[[::1]]:80/'],
    ['com.example.app:/done', 'com.example.app:/back', ['path'], 'com.example.app:/[done]'],
  ])('%s is not %s: %s', (sent, expected, parts, shown) => {
    const difference = urlDifference(sent, expected);
    expect(difference.parts).toEqual(parts);
    expect(marked(difference.sent)).toBe(shown);
    expect([textOf(difference.sent), textOf(difference.expected)]).toEqual([sent, expected]);
  });

  it('differ in several parts at once', () => {
    expect(urlDifference('https://a.test:1/x', 'http://b.test:2/y').parts).toEqual(['scheme', 'host', 'port', 'path']);
  });

  it('that are the same differ in nothing', () => {
    expect(urlDifference('http://a.test/x?y#z', 'http://a.test/x?y#z')).toMatchObject({ parts: [] });
  });

  it('are compared letter by letter where one is none', () => {
    expect(marked(urlDifference('callback', 'callbacks').expected)).toBe('callback[s]');
  });
});

describe('marks', () => {
  it('are on what is between a common start and a common end', () => {
    expect(marked(markedAgainst('openid profle', 'openid profile'))).toBe('openid profle');
    expect(marked(markedAgainst('openid profile', 'openid profle'))).toBe('openid prof[i]le');
  });

  it('never cut a character in two', () => {
    expect(marked(markedAgainst('a😀b', 'a😃b'))).toBe('a[😀]b');
  });

  it('are not put on words about a value', () => {
    expect(areAlike('no DPoP header', 'DPoP: <proof>')).toBe(false);
    expect(areAlike('client_secret_post', 'none')).toBe(true);
  });
});
