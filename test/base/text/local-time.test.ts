import { expect, it } from 'vitest';
import { localTime } from '../../../src/base/text/local-time.ts';

const at = (date: string) => new Date(date).getTime(); // without a zone: local time

it('a time of today has no date, in the time zone of the process', () => {
  expect(localTime(at('2026-03-01T14:03:10.999'), at('2026-03-01T23:59:59'))).toBe('14:03:10');
  expect(localTime(at('2026-03-01T23:59:59'), at('2026-03-02T00:00:00'))).toBe('2026-03-01 23:59:59');
});
