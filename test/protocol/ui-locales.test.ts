import { describe, expect, it } from 'vitest';
import { lookUpLocale, preferredRanges } from '../../src/protocol/ui-locales.ts';

describe('the language for ui_locales', () => {
  it.each([
    [['de'], 'de'],
    [['de-AT'], 'de'],
    [['FR-ca'], 'fr'],
    [['zh-Hant', 'ja-JP'], 'ja'],
    [['se', 'de', 'en'], 'de'],
    [['*', 'ar-EG'], 'ar'],
    [['dev', 'x-de'], undefined],
    [[''], undefined],
    [[], undefined],
  ])('%j is %s (RFC 4647 §3.4)', (ranges, expected) => {
    expect(lookUpLocale(ranges)).toBe(expected);
  });
});

describe('the ranges of Accept-Language', () => {
  it.each([
    ['de', ['de']],
    ['en;q=0.5, fr, es;q=0.8', ['fr', 'es', 'en']],
    ['ja;q=0, de;q=0.1', ['de']],
    ['de-CH, de;q=0.9, *;q=0.1', ['de-CH', 'de', '*']],
    ['fr;Q=0.3;x=y, es ; q=1.000', ['es', 'fr']],
    ['fr;q=high, de;q=2, es;q=0.25', ['es']],
    ['', []],
    [', ,;q=1', []],
  ])('of %j come in the order of their weights (RFC 9110 §12.4.2)', (header, expected) => {
    expect(preferredRanges(header)).toEqual(expected);
  });
});
