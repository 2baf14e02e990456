/** `T` with optional members instead of members that may be undefined, for `exactOptionalPropertyTypes`. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * The members that are not undefined, in their order: `{ ...defined({ scope }) }` has no `scope` if it is undefined.
 */
export function defined<T extends object>(members: T): Defined<T> {
  const present: { [K in keyof T]?: unknown } = {};
  // a loop without intermediate pairs, because every answer and every event uses it
  for (const name in members) if (members[name] !== undefined) present[name] = members[name];
  return present as Defined<T>; // the members that the loop leaves out are optional in the type
}
