import { noChanges, type SharedPart } from '../../replicas/shared-part.ts';
import type { Reloading } from '../../sandbox/composition/reload/reloading.ts';

/**
 * The reloads that somebody asked for: each replica reads its own file then. One whose file cannot be used has logged that,
 * and keeps its configuration.
 */
export function reloadPart({ count, follow }: Pick<Reloading, 'count' | 'follow'>): SharedPart {
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
