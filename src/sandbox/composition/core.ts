import type { ClockChanged } from '../../base/clock/clock-events.ts';
import type { SandboxClock } from '../../base/clock/sandbox-clock.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import type { FileState } from '../../base/events/file-state.ts';
import type { LabState } from '../../extensions/lessons/lab/lab.ts';
import type { Lessons } from '../../extensions/lessons/lessons.ts';
import type { PlaygroundPlace } from '../../extensions/lessons/playground/room.ts';
import type { Workshop } from '../../extensions/lessons/workshop/workshop.ts';
import type { OpenedSession } from '../../extensions/sharing/opened-record.ts';
import type { Traces } from '../../extensions/tracing/traces.ts';
import type { IssuerWebhooks } from '../../extensions/webhooks/issuer-webhooks.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { UserDirectory } from '../../protocol/users/user.ts';
import type { LoadedPreset } from '../../providers/load/presets.ts';
import type { RequestLog } from '../../server/http/log/request-log.ts';
import type { CallCounts } from '../../server/http/rate-limit.ts';
import type { Readiness } from '../../server/http/readiness.ts';
import type { SenderMark } from '../../server/http/sender-mark.ts';
import type { RowsFactory } from '../../server/resources/index.ts';
import type { IssuerConfig } from '../config/config.ts';
import type { Guard } from '../control/api/control-gate.ts';
import type { Controlled } from '../control/api/controlled.ts';
import type { Collections } from '../control/collections.ts';
import type { ControlParts } from '../control/control-parts.ts';
import type { RunInTurn } from '../control/replica-turn.ts';
import type { ShortLivedIssuers } from '../control/short-lived.ts';
import type { IssuerBreakpoints } from './breakpoints.ts';
import type { IssuerFaults } from './faults.ts';
import type { IssuerState } from './issuer-state.ts';
import type { Lazy } from './lazily.ts';
import type { Tls } from './tls.ts';

/** The parts of an issuer, independent of the socket. */
export interface Core {
  readonly config: IssuerConfig;
  readonly server: AuthorizationServer;
  readonly events: EventLog;
  readonly collections: Collections;
  /** Counts of calls that replicas share; absent: in this process. */
  readonly counts?: CallCounts | undefined;
  /** Rows of the sample backend that replicas share; absent: in this process. */
  readonly rows?: RowsFactory | undefined;
  readonly users: UserDirectory;
  readonly log: RequestLog;
  /** Marks the requests that our own pages send for a learner. */
  readonly mark: SenderMark;
  readonly explanationOf: (requestId: string) => string | undefined;
  /** Operations on the running issuer. */
  readonly operations: Pick<ControlParts, 'rotateKeys' | 'reset'>;
  /** The clock that callers can move. The log names the caller. */
  readonly clockFor: (by: ClockChanged['by']) => SandboxClock;
  /** Faults injected into this issuer's answers. */
  readonly faults: IssuerFaults;
  /** Breakpoints that hold this issuer's answers; loaded on first use. */
  readonly breakpoints: IssuerBreakpoints;
  /** The time of the sample backend, in whole Unix seconds. */
  readonly apiClock: () => number;
  /** Issuers created at run time; absent for an issuer that cannot create any. */
  readonly issuers?: (() => Promise<ShortLivedIssuers>) | undefined;
  /** Who may enter, besides those who know CONTROL_TOKEN; absent outside a workshop. */
  readonly guard?: Guard | undefined;
  /** The pages for joining and for the trainer; only the first issuer of a workshop has them. */
  readonly workshop?: Lazy<Workshop> | undefined;
  /** The address of a flow that the trainer shows, empty for none; only a seat of a workshop has it. */
  readonly shown?: (() => string) | undefined;
  /** Absent where there is no playground. */
  readonly playground?: PlaygroundPlace | undefined;
  /** Loaded on first use; absent where there are no lessons. */
  readonly lessons?: Lazy<Lessons> | undefined;
  /** The state of a lab; absent for an issuer that is not one of a lab. */
  readonly lab?: LabState | undefined;
  /** The recorded session in place of the history; absent for a sandbox that serves clients. */
  readonly opened?: OpenedSession | undefined;
  /** Reads the configuration of the whole sandbox again; absent for an issuer that is not the first. */
  readonly reload?: Controlled['reload'];
  /** Result of the last reload. */
  readonly fileState: () => FileState;
  /** The provider whose wire the issuer speaks. */
  readonly preset?: LoadedPreset | undefined;
  /** A secret for a purpose that all replicas have, for all issuers; absent: a random one for this process. */
  readonly sandboxSecret?: IssuerState['sandboxSecret'] | undefined;
  readonly inTurn: RunInTurn;
  /** The first number in the ids of requests; absent: a random one. */
  readonly firstId?: number | undefined;
  /** Whether a balancer may send requests to this process. */
  readonly readiness: Readiness;
  /** Spans of OpenTelemetry; absent unless the environment asks for them. */
  readonly traces?: Traces | undefined;
  readonly webhooks: IssuerWebhooks;
  readonly port: number;
  /** Undefined for plain HTTP. */
  readonly tls: Tls | undefined;
}
