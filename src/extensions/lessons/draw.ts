import { type Random, seededRandom, systemRandom } from '../../protocol/random.ts';

/** The missing check of a mystery, and how many were drawn for this learner. */
export interface Drawn {
  readonly missing: string;
  readonly times: number;
}

export interface DrawParts {
  readonly suspects: readonly { readonly id: string }[];
  /** The mystery until now; the new one is different. */
  readonly before?: Drawn | undefined;
  /** With a seed, the same mysteries come in the same order, for each learner. Default: by chance. */
  readonly seed?: string | undefined;
}

/** Draws the check that is missing. */
export function drawMystery({ suspects, before, seed }: DrawParts): Drawn {
  const ids = suspects.map(({ id }) => id);
  const times = (before?.times ?? 0) + 1;
  if (seed === undefined) return { missing: oneOf(ids, systemRandom, before?.missing), times };
  const random = seededRandom(`mystery ${seed}`);
  const missing = Array.from({ length: times }).reduce<string>(last => oneOf(ids, random, last), '');
  return { missing, times };
}

function oneOf(ids: readonly string[], random: Pick<Random, 'below'>, last: string | undefined): string {
  const others = ids.filter(id => id !== last);
  return others[random.below(others.length)] ?? '';
}
