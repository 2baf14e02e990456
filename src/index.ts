export type {
  ClientEntry,
  CollectionEntry,
  SandboxConfig,
  ScopeEntry,
  StandardClaims,
  TrustedIssuerEntry,
  UserEntry,
} from './config/sandbox-config.ts';
export {
  type ConnectedSandbox,
  type ConnectedShortLivedIssuer,
  connectSandbox,
} from './connected/connect-sandbox.ts';
export type { ConnectedClock } from './connected/connected-clock.ts';
export type { ConnectedEvent, ConnectedEvents, EventQuery } from './connected/connected-events.ts';
export type { ConnectedIssuer, SessionFormat } from './connected/connected-issuer.ts';
export type { ConnectOptions } from './connected/control-calls.ts';
export type { EventFact, EventOf, EventType, SandboxEvent } from './events/event.ts';
export type { EventLog, IssuedEvent } from './events/event-log.ts';
export {
  type ArmedFault,
  type BrowserCookie,
  type BrowserOrigin,
  type BrowserState,
  type CheckResult,
  type ClientReport,
  type ClientScore,
  type ClockOwner,
  type ClockReading,
  type ClockState,
  createSandbox,
  type Defect,
  type Expiring,
  type FaultOrder,
  type Login,
  type LoginAction,
  type LoginCallback,
  type LoginCode,
  type LoginForm,
  type LoginRequest,
  type MintedToken,
  type MintRequest,
  type MintType,
  type NextLogin,
  type ResetPart,
  type Sandbox,
  type SandboxClock,
  type SandboxEntries,
  type SandboxEnvironment,
  type SandboxFaults,
  type SandboxIssuer,
  type SandboxTls,
  type SelfTestReport,
  type SelfTestResult,
  type ShortLived,
  type ShortLivedConfig,
  type ShortLivedIssuer,
  type ShortLivedOptions,
  type StorageEntry,
  type TokenResponse,
  type Verdict,
} from './sandbox.ts';
