/** A promise was not kept; the message says what happened. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** A promise cannot be tested here; the message gives the reason. */
export class NotExercised extends Error {
  override readonly name = 'NotExercised';
}

/** @throws BrokenPromise with the message `happened` if `holds` is falsy */
export function demand(holds: unknown, happened: string): asserts holds {
  if (!holds) throw new BrokenPromise(happened);
}
