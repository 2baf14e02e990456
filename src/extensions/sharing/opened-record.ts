import type { RequestListener } from 'node:http';
import type { DashboardOptions } from '../../sandbox/dashboard.ts';

/** A recorded session that a sandbox shows in place of its own history. */
export interface OpenedSession {
  /** Puts the recorded session in the place of the history of the sandbox. */
  show(options: DashboardOptions): DashboardOptions;
  /** Lets only pages through: the sandbox of a recorded session issues no tokens. */
  guard(listener: RequestListener): RequestListener;
}
