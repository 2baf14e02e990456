import { describe, expect, it } from 'vitest';
import { randomUserCode, readUserCode } from '../../../src/protocol/decoupled/pending-authorization.ts';
import { systemRandom } from '../../../src/protocol/random.ts';

// DEV-04
describe('a user code (RFC 8628 §6.1)', () => {
  it('has eight letters without vowels and a dash in the middle', () => {
    for (let count = 0; count < 200; count++) {
      expect(randomUserCode(systemRandom)).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    }
  });

  it('uses every letter, and is never the same twice', () => {
    const codes = Array.from({ length: 500 }, () => randomUserCode(systemRandom));
    expect(new Set(codes).size).toBe(500);
    expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(20);
  });

  it.each(['WDJB-MJHT', 'wdjb-mjht', 'WDJBMJHT', ' wdjb mjht ', 'W D J B M J H T', 'wdjb–mjht', 'Wdjb.Mjht'])(
    'is read however it is typed: %s',
    typed => {
      expect(readUserCode(typed)).toBe('WDJB-MJHT');
    },
  );

  it.each(['', 'WDJB', 'WDJB-MJHTX', 'WDJA-MJHT', 'WDJB-MJH1', 'ВDJB-MJHT', 'WDJB-MJHT<script>'])(
    'is nothing else: %s',
    typed => {
      expect(readUserCode(typed)).toBeUndefined();
    },
  );
});
