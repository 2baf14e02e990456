/** The letters and the colour that stand for a person. */
export interface Avatar {
  /** The first letters of the first and the last word: `CN` for Carol Núñez, `?` for an empty name. */
  readonly initials: string;
  /** Number of the class `tint-<n>`, from 0: the same `sub` has the same colour on every page. */
  readonly tint: number;
}

const tints = 6;

/** The avatar of a person with this name and subject. */
export function avatarOf(name: string, sub: string): Avatar {
  const sum = [...sub].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return { initials: initialsOf(name), tint: sum % tints };
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(word => word !== '');
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map(word => [...(word ?? '')][0]?.toUpperCase() ?? '').join('') || '?';
}
