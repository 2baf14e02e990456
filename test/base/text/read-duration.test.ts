import { expect, it } from 'vitest';
import { secondsIn } from '../../../src/base/text/duration.ts';

it.each([
  [90, 90],
  [-5, -5],
  [0.5, 0.5],
  ['90', 90],
  [' 90s ', 90],
  ['5m', 300],
  ['5 min', 300],
  ['8h', 28_800],
  ['1d', 86_400],
  ['1h30m', 5400],
  ['+2 h 30 min', 9000],
  ['-90s', -90],
  ['0.5', 0.5],
  ['1.5m', 90],
])('reads the duration %j', (said, seconds) => {
  expect(secondsIn(said)).toBe(seconds);
});

it.each([
  '',
  'soon',
  '5x',
  '5m!',
  's',
  '1e9',
  '--5m',
  '5m -3s',
  'Infinity',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  null,
  undefined,
  {},
])('reads no duration in %j', said => {
  expect(secondsIn(said)).toBeUndefined();
});
