import type { TracesOrNote, TracesPlace } from './traces.ts';

/** OpenTelemetry is loaded only if one of its variables is set. */
export async function tracesIfAsked(place: TracesPlace): Promise<TracesOrNote> {
  if (!Object.keys(place.env).some(name => name.startsWith('OTEL_'))) return {};
  return (await import('./start-traces.ts')).startTraces(place);
}
