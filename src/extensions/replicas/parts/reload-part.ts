import type { FollowedReloads } from '../../../sandbox/replica.ts';
import { noChanges, type SharedPart } from '../shared-part.ts';

/**
 * The reloads that somebody asked for: each replica reads its own file then. One whose file cannot be used has logged that,
 * and keeps its configuration.
 */
export function reloadPart({ count, follow }: FollowedReloads): SharedPart {
  let seen = count();
  return {
    name: 'reloads',
    changes() {
      if (count() === seen) return noChanges;
      seen = count();
      return new Map([['', { count: seen }]]);
    },
    apply: () => follow(),
    undo: () => {},
  };
}
