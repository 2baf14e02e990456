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
  type Sandbox,
  type SandboxEnvironment,
  type SandboxTls,
  type SelfTestReport,
  type SelfTestResult,
} from './sandbox.ts';
