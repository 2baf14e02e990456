import { describe, expect, it } from 'vitest';
import { ago, duration, left, relative } from '../../../src/base/text/duration.ts';

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

  it('says how far a time is from now, on both sides', () => {
    expect([relative(3492), relative(1), relative(0.5), relative(-125)]).toEqual([
      'in 58 min 12 s',
      'in 1 s',
      'just now',
      '2 min ago',
    ]);
  });

  it('says what is left, in as many units as asked for', () => {
    expect([left(3492), left(3492, 2), left(90_061, 3), left(-1)]).toEqual([
      '58 min left',
      '58 min 12 s left',
      '1 d 1 h 1 min left',
      '0 s left',
    ]);
  });
});
