import type { ChangedBy } from './change.ts';

/** Parts that can be reset separately. */
export const resetParts = ['history', 'configuration', 'resources', 'sessions', 'clock', 'faults'] as const;

/** A part that can be reset separately. */
export type ResetPart = (typeof resetParts)[number];

/** The sandbox was reset, in part or as a whole. */
export interface SandboxReset {
  readonly type: 'sandbox.reset';
  /** Absent for a reset of everything. */
  readonly part?: ResetPart;
}

/** The configuration was changed at run time. */
export interface ConfigurationChanged {
  readonly type: 'configuration.changed';
  readonly what: 'client' | 'user' | 'scope' | 'collection' | 'keys' | 'rules';
  /** The `client_id`, the `sub` or the name; of keys, their algorithms; of rules, `tokenClaims`. */
  readonly subject: string;
  readonly change: 'created' | 'changed' | 'deleted';
  /** Names of the members that were set, or returned to their default. */
  readonly members: readonly string[];
  readonly by: 'dashboard' | 'api' | 'library' | 'login_screen';
}

/** An issuer was created while the sandbox ran. The event is in the log of the first issuer, because its own log begins empty. */
export interface IssuerCreated {
  readonly type: 'issuer.created';
  readonly issuer: string;
  /** Unix seconds of real time; absent for an issuer that ends when nobody uses it. */
  readonly expiresAt?: number;
  /** `request`: a client named it, with `ISSUERS=any`. */
  readonly by: 'api' | 'library' | 'request';
}

/** An issuer that was created while the sandbox ran has ended. The event is in the log of the first issuer. */
export interface IssuerEnded {
  readonly type: 'issuer.ended';
  readonly issuer: string;
  /** `lifetime`: its lifetime was over. */
  readonly by: 'dashboard' | 'api' | 'library' | 'lifetime';
}

/** A member of an entry, before and after; a secret is `***`, and a side without the member is absent. */
export interface MemberChange {
  readonly member: string;
  readonly from?: string;
  readonly to?: string;
}

/** Change of one entry of the configuration file. */
export interface EntryChange {
  readonly kind: 'client' | 'user' | 'scope' | 'collection' | 'authorization details type' | 'trusted issuer' | 'rule';
  readonly name: string;
  readonly change: 'added' | 'changed' | 'removed';
  /** Changed members, if the entry existed before. */
  readonly members: readonly MemberChange[];
}

/** A setting, by its environment variable, with its value before and after; a secret is `***`. */
export interface SettingChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Effects of a configuration on a running issuer. */
export interface ConfigurationChanges {
  /** The changed entries of lists and records. */
  readonly entries: readonly EntryChange[];
  /** In effect from now on. */
  readonly settings: readonly SettingChange[];
  /** Changed in the configuration, but in effect only after the next start. */
  readonly atNextStart: readonly SettingChange[];
}

/** Keys, changed entries, sessions and refresh tokens were replaced by those of a state file. */
export interface StateImported {
  readonly type: 'state.imported';
  readonly by: ChangedBy;
}

/** The trigger of the reload; `file`: the file had changed. */
export type ReloadedBy = 'file' | 'signal' | 'api' | 'library';

/** The configuration was read again, and is in effect. */
export interface ConfigurationReloaded extends ConfigurationChanges {
  readonly type: 'configuration.reloaded';
  /** The name as given: `clients.config.ts`; `createSandbox` for options of the library. */
  readonly file: string;
  readonly by: ReloadedBy;
  /** The path of an issuer beside the first. */
  readonly path?: string;
}

/** The configuration was read again and refused; the previous one stays in effect. */
export interface ConfigurationRefused {
  readonly type: 'configuration.refused';
  readonly file: string;
  readonly by: ReloadedBy;
  /** A sentence each: the place, the value found, and the expected one; a secret is `***`. */
  readonly problems: readonly string[];
  /** The path of an issuer beside the first. */
  readonly path?: string;
}

export type ConfigurationEvent =
  | SandboxReset
  | StateImported
  | ConfigurationChanged
  | ConfigurationReloaded
  | ConfigurationRefused
  | IssuerCreated
  | IssuerEnded;
