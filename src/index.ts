export type {
  ClientEntry,
  CollectionEntry,
  SandboxConfig,
  ScopeEntry,
  StandardClaims,
  TrustedIssuerEntry,
  UserEntry,
} from './config/sandbox-config.ts';
export type { EventFact, EventOf, EventType, SandboxEvent } from './events/event.ts';
export type { EventLog, IssuedEvent } from './events/event-log.ts';
export {
  createSandbox,
  type NextLogin,
  type Sandbox,
  type SandboxEnvironment,
  type SandboxIssuer,
  type SandboxTls,
  type SelfTestReport,
  type SelfTestResult,
} from './sandbox.ts';
