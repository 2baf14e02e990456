/** `cannot be`: no configuration of the sandbox makes the fact the same. */
export type FactVerdict = 'same' | 'different' | 'cannot be';

/** One fact of the table. */
export interface FactRow {
  readonly fact: string;
  readonly verdict: FactVerdict;
  /** The value in your samples; absent where only the sandbox has the fact. */
  readonly yours?: unknown;
  readonly ours?: unknown;
  /** Why it is not the same; absent where it is. */
  readonly why?: string;
}

/** The difference of a fact, for the table of reasons. */
export interface FactDifference {
  readonly fact: string;
  readonly yours: unknown;
  readonly ours: unknown;
  /** Items of a list that the other side does not have. */
  readonly lacks: readonly string[];
  readonly extra: readonly string[];
}
