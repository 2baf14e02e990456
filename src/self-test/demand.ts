/** A promise that was not kept: what happened instead. */
export class BrokenPromise extends Error {
  constructor(happened: string) {
    super(happened);
    this.name = 'BrokenPromise';
  }
}

/** @throws BrokenPromise where it does not hold */
export function demand(holds: unknown, happened: string): asserts holds {
  if (!holds) throw new BrokenPromise(happened);
}
