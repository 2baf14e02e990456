import { defined } from '../../defined.ts';
import type { Comparison, Explanation, ProposedFix } from '../problem.ts';

/** What a detector has to say. */
interface Told {
  readonly title: string;
  readonly why: string;
  readonly others?: readonly string[];
  readonly fixes: readonly (string | ProposedFix)[];
  readonly references: readonly string[];
  readonly comparison?: Comparison;
}

/** The server sees one half only: what it says of a silence is likely, never certain. */
export function likely({ others = [], fixes, comparison, ...told }: Told): Explanation {
  return {
    ...told,
    certainty: 'likely',
    others,
    fixes: fixes.map(fix => (typeof fix === 'string' ? { text: fix, snippets: [] } : fix)),
    ...defined({ comparison }),
  };
}

/** Two values that should have been one, or two that should not. */
export function sideBySide(sentLabel: string, sent: string, expectedLabel: string, expected: string): Comparison {
  const plain = (text: string) => [{ text, differs: false }];
  return {
    ...{ sentLabel, sent: plain(sent), expectedLabel },
    expected: [{ value: plain(expected), differs: '' }],
  };
}
