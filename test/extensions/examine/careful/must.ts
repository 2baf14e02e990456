export type Json = Readonly<Record<string, unknown>>;

/** Tells whether the client makes a check, by the id of the module that is about it. */
export type Has = (check: string) => boolean;

/** Refuses with a reason. */
export function must(isRight: boolean, reason: string): asserts isRight {
  if (!isRight) throw new Error(reason);
}
