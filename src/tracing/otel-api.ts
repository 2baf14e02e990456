import type { Tracer } from '@opentelemetry/api';

/** The module `@opentelemetry/api`, which the user installed. */
export type OtelApi = typeof import('@opentelemetry/api');

/** What spans are made with. */
export interface Tracing {
  readonly api: OtelApi;
  readonly tracer: Tracer;
}
