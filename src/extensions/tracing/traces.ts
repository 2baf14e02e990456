import type { RequestListener } from 'node:http';
import type { EventLog } from '../../base/events/event-log.ts';
import type { Outbound } from '../../protocol/outbound.ts';
import type { Correlation } from '../../server/http/log/correlation.ts';

/** The issuer whose requests are traced. */
export interface TracedIssuer {
  readonly issuer: string;
  readonly events: EventLog;
  /** Unix seconds. */
  readonly clock: () => number;
}

/** Spans of OpenTelemetry for a sandbox. */
export interface Traces {
  /** Adds facts to the span of the request that adds an event. */
  watch(events: EventLog): void;
  /** Begins a span for each request, whose parent is the span of the caller. */
  listener(next: RequestListener, traced: TracedIssuer): RequestListener;
  /** Begins a span for each call to another server, and tells that server about it. */
  outbound(outbound: Outbound): Outbound;
  /** The ids of the current span, for the log. */
  current(): Correlation | undefined;
  /** Exports the last spans. */
  close(): Promise<void>;
}

/** Traces, or why there are none although the environment asks for them. */
export interface TracesOrNote {
  readonly traces?: Traces;
  readonly note?: string;
}

/** Where traces are asked for, and where their packages are looked for. */
export interface TracesPlace {
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory, then the folder of Grantbox. */
  readonly folders: readonly string[];
}
