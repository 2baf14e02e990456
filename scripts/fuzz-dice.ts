/** The dice of one connection (mulberry32): the same seed makes the same choices. */
export interface Dice {
  /** From 0 up to and without `sides`. */
  roll(sides: number): number;
  of<T>(choices: readonly T[]): T;
  /** True so many times of a hundred. */
  luck(percent: number): boolean;
}

export function createDice(seed: number): Dice {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const roll = (sides: number) => Math.floor(next() * sides);
  return { roll, of: choices => choices[roll(choices.length)] as never, luck: percent => roll(100) < percent };
}
