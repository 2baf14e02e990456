import { randomBytes } from 'node:crypto';
import { type AppAccount, type Begun, type Protection, type Protections, protectionNames } from './checks.ts';

/** The state of one browser at the app. */
export interface AppVisit {
  begun: readonly Begun[];
  account?: AppAccount;
  /** The session at the provider that signed the user in. */
  sid?: string;
}

/** The state of the app. All browsers share its protections and accounts. */
export interface AppState {
  /** A lab switches off some of those that are chosen. */
  protections: Protections;
  /** Accounts by `accountKey`. */
  readonly accounts: Map<string, AppAccount>;
  /** Finds the visit of a cookie; undefined for an unknown cookie. */
  visit(id: string | undefined): AppVisit | undefined;
  /** Signs out all visits of a session at the provider. */
  endSession(sid: string): void;
  open(): { readonly id: string; readonly visit: AppVisit };
  /** Restores the state after the start. */
  reset(): void;
}

/** The most open sign-ins of one browser. */
export const mostBegun = 10;
const mostVisits = 500;
export const mostAccounts = 200;

/** `weak`: protections that a lab switches off. */
export function createAppState(weak: () => readonly Protection[] = () => []): AppState {
  const visits = new Map<string, AppVisit>();
  const all: ReadonlySet<Protection> = new Set(protectionNames);
  let chosen: Protections = all;
  const state: AppState = {
    get protections() {
      const off = weak();
      return off.length === 0 ? chosen : new Set([...chosen].filter(name => !off.includes(name)));
    },
    set protections(protections) {
      chosen = protections;
    },
    accounts: new Map(),
    visit: id => (id === undefined ? undefined : visits.get(id)),
    endSession(sid) {
      for (const visit of visits.values()) if (visit.sid === sid) visit.account = undefined;
    },
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
