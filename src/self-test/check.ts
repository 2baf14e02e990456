import type { Bench } from './bench.ts';

/** What one member of the metadata promises, and how that is tried. */
export interface PromiseCheck {
  /** In words, without the value: `tokens by this grant`. */
  readonly promise: string;
  /**
   * Does what a client would; `value` is one of the member's list, or the member itself as text.
   * @throws BrokenPromise, NotExercised
   */
  readonly attempt: (bench: Bench, value: string) => Promise<unknown>;
}

/** By the member that promises it. */
export type Checks = Readonly<Record<string, PromiseCheck>>;

/** A promise that cannot be tried from here, and why. */
export class NotExercised extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'NotExercised';
  }
}

/** The check of this value in a table of checks by value. */
export async function attemptIn(
  table: Readonly<Record<string, PromiseCheck['attempt']>>,
  bench: Bench,
  value: string,
): Promise<unknown> {
  const attempt = Object.hasOwn(table, value) ? table[value] : undefined;
  if (attempt === undefined) throw new NotExercised('no check knows this value');
  return attempt(bench, value);
}
