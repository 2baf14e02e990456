/** The meaning of a parameter, a header or a member of a response. */
export interface ParameterMeaning {
  /** One or two sentences: what it is, and what it is for. */
  readonly words: string;
  /** `RFC 6749 §4.1.1`; empty for a parameter of this sandbox. */
  readonly reference: string;
}

/** Meanings by name. */
export type Dictionary = Readonly<Record<string, ParameterMeaning>>;

/** Makes the entries that one section of a standard defines. */
export function section<Name extends string>(
  reference: string,
  words: Readonly<Record<Name, string>>,
): Readonly<Record<Name, ParameterMeaning>> {
  const entries = Object.entries<string>(words).map(([name, each]) => [name, { words: each, reference }]);
  return Object.fromEntries(entries); // the names of `words`
}
