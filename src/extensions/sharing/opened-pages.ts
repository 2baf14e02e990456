import type { NavEntry } from '../../dashboard/nav.ts';
import type { FlowIndex } from '../../record/flows/flow.ts';
import type { ProblemIndex } from '../../record/problems/problem.ts';

/** A recorded session that the dashboard shows read-only. */
export interface OpenedRecord {
  /** The name of the file, as typed. */
  readonly file: string;
  readonly kind: 'session' | 'har';
  /** Unix seconds. */
  readonly recordedAt: number;
  readonly flows: FlowIndex;
  readonly problems: ProblemIndex;
}

/** The pages of a recorded session. Clients and users are those of the file. */
export const openedPages: ReadonlySet<NavEntry> = new Set<NavEntry>([
  ...(['flows', 'tokens', 'problems', 'requests', 'decode', 'clients', 'users'] as const),
]);
