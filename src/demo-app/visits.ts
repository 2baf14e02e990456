import { randomBytes } from 'node:crypto';
import { type AppAccount, type Begun, type Protection, type Protections, protectionNames } from './checks.ts';

/** What one browser did at the application. */
export interface AppVisit {
  begun: readonly Begun[];
  account?: AppAccount | undefined;
}

/** State of the application: its protections and accounts are those of all browsers. */
export interface AppState {
  protections: Protections;
  /** By `accountKey`. */
  readonly accounts: Map<string, AppAccount>;
  /** The visit of a cookie; undefined where the cookie is unknown. */
  visit(id: string | undefined): AppVisit | undefined;
  open(): { readonly id: string; readonly visit: AppVisit };
  /** As when it started. */
  reset(): void;
}

/** Logins that one browser may have open at a time. */
export const mostBegun = 10;
const mostVisits = 500;
export const mostAccounts = 200;

export function createAppState(): AppState {
  const visits = new Map<string, AppVisit>();
  const all: ReadonlySet<Protection> = new Set(protectionNames);
  const state: AppState = {
    protections: all,
    accounts: new Map(),
    visit: id => (id === undefined ? undefined : visits.get(id)),
    open() {
      const [oldest] = visits.keys();
      if (visits.size >= mostVisits && oldest !== undefined) visits.delete(oldest);
      const [id, visit] = [randomBytes(16).toString('base64url'), { begun: [] }];
      visits.set(id, visit);
      return { id, visit };
    },
    reset() {
      visits.clear();
      state.accounts.clear();
      state.protections = all;
    },
  };
  return state;
}
