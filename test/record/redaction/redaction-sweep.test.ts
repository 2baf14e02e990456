import { describe, expect, it } from 'vitest';
import { sweepOf } from '../../../src/record/flows/redaction-sweep.ts';
import { workOf } from '../../support/work.ts';

describe('a sweep', () => {
  it('takes every secret out, in any of its spellings', () => {
    const sweep = sweepOf(['secret&<1>', 'another-one']);
    expect(sweep('a secret&<1> b another-onec')).toBe('a [redacted] b [redacted]c');
    expect(sweep('?a=secret%26%3C1%3E&b=secret&amp;&lt;1&gt;')).toBe('?a=[redacted]&b=[redacted]');
  });

  it('takes the longest of those that begin alike, wherever the set has it', () => {
    const secrets = ['eyJhbGciOiJub25lIn0', 'eyJhbGciOiJub25lIn0.e30.sig'];
    for (const each of [secrets, secrets.toReversed()])
      expect(sweepOf(each)('(eyJhbGciOiJub25lIn0.e30.sig)')).toBe('([redacted])');
  });

  it('leaves alone what only begins like a secret, and what is short', () => {
    const text = 'eyJhbGciOiJub25lIn1 short secret-';
    expect(sweepOf(['eyJhbGciOiJub25lIn0', 'short', 'secret-1'])(text)).toBe(text);
  });

  it('takes as much memory as its secrets ask for, because a report makes thousands', () => {
    const before = process.memoryUsage().arrayBuffers;
    const sweeps = Array.from({ length: 100 }, (_, n) => sweepOf(n % 2 === 0 ? [] : [`secret-number-${n}`]));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
    expect(sweeps[99]?.('a secret-number-99')).toBe('a [redacted]');
  });

  it('is made with as much work as the text is long, whatever the number of secrets', () => {
    const secretsOf = (count: number) =>
      Array.from({ length: count }, (_, n) => `eyJhbGciOiJub25lIn0.${n}-${'x'.repeat(n % 50)}.signature`);
    const text = secretsOf(1000).join(' ');
    const workWith = (count: number) => {
      const sweep = sweepOf(secretsOf(count));
      return workOf(() => expect(sweep(text)).toBe(secretsOf(1000).fill('[redacted]').join(' ')));
    };
    expect(workWith(20_000)).toBeLessThan(1.5 * workWith(1000));
  });
});
