import { describe, expect, it } from 'vitest';
import { ago as agoInBrowser, left as leftInBrowser, until as untilInBrowser } from '../../src/browser/left.ts';
import { ago, duration, left, until } from '../../src/dashboard/duration.ts';

describe('a duration', () => {
  it.each([
    [0, '0 s'],
    [-5, '0 s'],
    [0.9, '0 s'],
    [59, '59 s'],
    [60, '1 min'],
    [3492, '58 min 12 s'],
    [3600, '1 h'],
    [3605, '1 h'],
    [7500, '2 h 5 min'],
    [90_061, '1 d 1 h'],
  ])('%s seconds', (seconds, words) => {
    expect(duration(seconds)).toBe(words);
  });

  it('says when something was', () => {
    expect([ago(0.4), ago(12.7), ago(125)]).toEqual(['just now', '12 s ago', '2 min ago']);
  });

  it('has the same words in the browser', () => {
    for (const seconds of [-1, 0, 0.5, 1, 59, 60, 61, 299, 3599, 3600, 3601, 3660, 86_399, 86_400, 86_461, 1e7]) {
      for (const parts of [1, 2, 3]) expect(leftInBrowser(seconds, parts)).toBe(left(seconds, parts));
      expect(agoInBrowser(seconds)).toBe(ago(seconds));
      expect(untilInBrowser(seconds)).toBe(until(seconds));
    }
  });
});
