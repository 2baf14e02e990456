/** What a parameter, a header or a member of an answer means, for people. */
export interface ParameterMeaning {
  /** What it is, and what it is for; a sentence or two. */
  readonly words: string;
  /** `RFC 6749 §4.1.1`; empty for what is of this sandbox alone. */
  readonly reference: string;
}

export type Dictionary = Readonly<Record<string, ParameterMeaning>>;

/** Entries of one section: name and words in turn. */
export function section<Name extends string>(
  reference: string,
  words: Readonly<Record<Name, string>>,
): Readonly<Record<Name, ParameterMeaning>> {
  const entries = Object.entries<string>(words).map(([name, each]) => [name, { words: each, reference }]);
  return Object.fromEntries(entries); // the names of `words`
}
