/** `T` whose members that may be undefined are optional instead, as `exactOptionalPropertyTypes` wants them. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that are not undefined, in their order: `{ ...defined({ scope }) }` has no `scope` where there is none. */
export function defined<T extends object>(members: T): Defined<T> {
  const present: { [K in keyof T]?: unknown } = {};
  // a loop that makes no pairs, because every answer and every event is made with it
  for (const name in members) if (members[name] !== undefined) present[name] = members[name];
  return present as Defined<T>; // what the loop leaves out is what the type makes optional
}
