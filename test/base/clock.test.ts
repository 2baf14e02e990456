import { describe, expect, it } from 'vitest';
import { createMovedClock } from '../../src/base/clock.ts';

/** A clock over a real time that the test moves. */
function over(start: number) {
  const wall = { now: start };
  return { wall, clock: createMovedClock(() => wall.now) };
}

const start = 1_800_000_000.123;

describe('a moved clock', () => {
  it('is the real one to begin with', () => {
    const { wall, clock } = over(start);
    expect([clock.issuer(), clock.api()]).toEqual([start, start]);
    wall.now += 5.5;
    expect(clock.issuer()).toBe(start + 5.5);
    const reading = { now: 1_800_000_005, offset: 0, frozen: false };
    expect(clock.state()).toEqual({ ...reading, wall: 1_800_000_005, api: reading });
  });

  it('goes on from where it was moved', () => {
    const { wall, clock } = over(start);
    clock.move({ kind: 'advance', seconds: 7200 });
    clock.move({ kind: 'advance', seconds: -200 });
    wall.now += 10;
    expect(clock.issuer()).toBeCloseTo(start + 7010, 3);
    expect(clock.state()).toMatchObject({ offset: 7000, wall: 1_800_000_010, api: { offset: 7000 } });
  });

  it.each([0, 0.1, 0.123, 0.999, 0.3333333])(
    'is at the very second it is set to, whatever the real fraction %d',
    part => {
      const { clock } = over(1_763_600_000 + part);
      for (const to of [0, 1, 1_234_567_890, 4_000_000_000, 253_402_300_799]) {
        clock.move({ kind: 'set', to });
        expect(clock.issuer()).toBe(to);
        expect(clock.state().now).toBe(to);
      }
    },
  );

  it('stands still until it is to go on, and can be moved all the same', () => {
    const { wall, clock } = over(start);
    clock.move({ kind: 'freeze' });
    wall.now += 100;
    expect(clock.issuer()).toBe(start);
    expect(clock.state()).toMatchObject({ offset: -100, frozen: true });
    clock.move({ kind: 'freeze' });
    clock.move({ kind: 'advance', seconds: 60 });
    expect(clock.issuer()).toBe(start + 60);
    clock.move({ kind: 'set', to: 1000 });
    expect(clock.issuer()).toBe(1000);
    clock.move({ kind: 'resume' });
    clock.move({ kind: 'resume' });
    wall.now += 3;
    expect(clock.issuer()).toBeCloseTo(1003, 3);
    expect(clock.state().frozen).toBe(false);
  });

  it('returns to the real time, from wherever it was', () => {
    const { wall, clock } = over(start);
    clock.move({ kind: 'set', to: 5 });
    clock.move({ kind: 'freeze' });
    clock.move({ kind: 'reset' });
    wall.now += 1;
    expect(clock.issuer()).toBe(wall.now);
    expect(clock.state()).toMatchObject({ offset: 0, frozen: false });
  });

  it('moves that of the sample backend with it, or one of them alone', () => {
    const { clock } = over(1000);
    clock.move({ kind: 'advance', seconds: 30 }, 'api');
    expect([clock.issuer(), clock.api()]).toEqual([1000, 1030]);
    clock.move({ kind: 'advance', seconds: 100 });
    expect([clock.issuer(), clock.api()]).toEqual([1100, 1130]); // what one is ahead by stays
    clock.move({ kind: 'freeze' }, 'issuer');
    expect(clock.state()).toMatchObject({ frozen: true, api: { frozen: false } });
    clock.move({ kind: 'reset' }, 'issuer');
    expect([clock.issuer(), clock.api()]).toEqual([1000, 1130]);
  });

  it.each([
    [{ kind: 'advance', seconds: Number.NaN }, 'clock.advance: expected seconds, or 90s, 5m, 8h, 1d, found NaN'],
    [
      { kind: 'advance', seconds: 'an hour' },
      'clock.advance: expected seconds, or 90s, 5m, 8h, 1d, found the text "an hour"',
    ],
    [{ kind: 'set', to: undefined as unknown as number }, 'clock.set: expected a number of seconds, found undefined'],
    [{ kind: 'set', to: 1_800_000_000_000 }, 'clock.set: expected a time from 1970 to 9999, found 1800000000000 s'],
    [
      { kind: 'advance', seconds: Number.NEGATIVE_INFINITY },
      'clock.advance: expected seconds, or 90s, 5m, 8h, 1d, found -Infinity',
    ],
  ] as const)('refuses %o, and stays where it is', (move, message) => {
    const { clock } = over(start);
    expect(() => clock.move(move)).toThrow(message);
    expect(clock.issuer()).toBe(start);
  });
});
