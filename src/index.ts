import { type ConnectedSandbox, connectSandboxOf } from './client/remote/connect-sandbox.ts';
import type { ConnectOptions } from './client/remote/control-calls.ts';
import { modules } from './modules.ts';
import type { SandboxConfig } from './sandbox/config/sandbox-config.ts';
import { createSandboxOf, type Sandbox, type SandboxEnvironment } from './sandbox/sandbox.ts';

export type { ClockOwner, ClockReading, ClockState, Expiring, SandboxClock } from './base/clock.ts';
export type {
  ConfigurationChanges,
  EntryChange,
  MemberChange,
  ResetPart,
  SettingChange,
} from './base/events/configuration-events.ts';
export type { EventFact, EventOf, EventType, SandboxEvent } from './base/events/event.ts';
export type { EventLog, IssuedEvent } from './base/events/event-log.ts';
export type { ConnectedSandbox, ConnectedShortLivedIssuer } from './client/remote/connect-sandbox.ts';
export type {
  ConnectedClock,
  ConnectedEvent,
  ConnectedEvents,
  ConnectedIssuer,
  EventQuery,
  SessionFormat,
} from './client/remote/connected-issuer.ts';

export type { ConnectOptions } from './client/remote/control-calls.ts';
export type { Examination, ExamineOptions, ModuleResult } from './extensions/examine/examination.ts';
export type { CheckResult, ClientReport, ClientScore, Verdict } from './extensions/report/report.ts';
export type { TokenResponse } from './protocol/tokens/issue-tokens.ts';
export type { NextLogin } from './protocol/users/next-login.ts';
export type {
  ClientEntry,
  CollectionEntry,
  OnToken,
  OnTokenAction,
  OnTokenEvent,
  SandboxConfig,
  ScopeEntry,
  StandardClaims,
  TokenRule,
  TrustedIssuerEntry,
  UserEntry,
} from './sandbox/config/sandbox-config.ts';
export type { BrowserCookie, BrowserOrigin, BrowserState, StorageEntry } from './sandbox/control/browser-state.ts';
export type { SandboxFaults } from './sandbox/control/faults.ts';
export type { IssuerEntries, MergePatch, Named, SandboxEntries } from './sandbox/control/library-entries.ts';
export type { LoginCallback, LoginCode } from './sandbox/control/login.ts';
export type { LoginAction, LoginForm, LoginRequest } from './sandbox/control/login-request.ts';
export type { MintedToken } from './sandbox/control/mint.ts';
export type { MintRequest, MintType } from './sandbox/control/mint-request.ts';
export type { Reloaded } from './sandbox/control/reload/reloaded.ts';
export type { ShortLived, ShortLivedConfig, ShortLivedOptions } from './sandbox/control/short-lived.ts';
export type { Login, SandboxIssuer, ShortLivedIssuer } from './sandbox/library/calls.ts';
export type { SandboxTls } from './sandbox/process/tls.ts';
export type { Sandbox, SandboxEnvironment } from './sandbox/sandbox.ts';
export type { ArmedFault, FaultOrder } from './server/faults/fault.ts';
export type { Defect } from './server/faults/fault-names.ts';

/**
 * Starts a sandbox in this process, by default on a free port. Resolves when it accepts requests.
 * @throws ConfigError listing every problem of the configuration; ListenError if the port is taken
 */
export function createSandbox(config?: SandboxConfig, environment?: SandboxEnvironment): Promise<Sandbox> {
  return createSandboxOf(modules, config, environment);
}

/**
 * Connects to a sandbox that runs elsewhere and returns the calls that `createSandbox` returns for one in this process.
 * `url` is the address of the sandbox, which tells the path of its issuer, or of one of its issuers.
 * @throws TypeError for an invalid address or a refused token, Error if no sandbox answers
 */
export function connectSandbox(url: string, options?: ConnectOptions): Promise<ConnectedSandbox> {
  return connectSandboxOf(modules.extensions, url, options);
}
