import type { Tracer } from '@opentelemetry/api';

/** The module `@opentelemetry/api`, which the user installed. */
export type OtelApi = typeof import('@opentelemetry/api');

/** The parts of OpenTelemetry that make spans. */
export interface Tracing {
  readonly api: OtelApi;
  readonly tracer: Tracer;
}
