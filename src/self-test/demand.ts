/** A promise that was not kept: what happened instead. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** A promise that cannot be tried from here, and why. */
export class NotExercised extends Error {
  override readonly name = 'NotExercised';
}

/** @throws BrokenPromise where it does not hold */
export function demand(holds: unknown, happened: string): asserts holds {
  if (!holds) throw new BrokenPromise(happened);
}
