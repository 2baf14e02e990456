/** The letters and the colour that stand for a person. */
export interface Avatar {
  /** The first letters of the first and the last word: `CN` for Carol Núñez, `?` for an empty name. */
  readonly initials: string;
  /** Number of the class `tint-<n>`, from 0: the same `sub` has the same colour on every page, and neighbours in the list of users differ. */
  readonly tint: number;
}

const tints = 6;

/** Positions of users by their `sub`. Visitors have none, because they would move the colours of everybody after them. */
export type Positions = ReadonlyMap<string, number>;

export function positionsOf(users: Iterable<{ readonly sub: string; readonly isVisitor?: true }>): Positions {
  const listed = [...users].filter(({ isVisitor }) => !isVisitor);
  return new Map(listed.map(({ sub }, position) => [sub, position]));
}

/** The avatar of a person with this name and subject. A subject without a position gets a colour by its letters. */
export function avatarOf(name: string, sub: string, positions: Positions): Avatar {
  const sum = [...sub].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return { initials: initialsOf(name), tint: (positions.get(sub) ?? sum) % tints };
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(word => word !== '');
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map(word => [...(word ?? '')][0]?.toUpperCase() ?? '').join('') || '?';
}
