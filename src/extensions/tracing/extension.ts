import type { Extension } from '../../sandbox/extension.ts';

/** Spans of OpenTelemetry, whose packages a user installs and whose own variables ask for them. */
export const tracing: Extension = {
  name: 'tracing',
  whole({ program, log }) {
    if (program === undefined || !Object.keys(program.env).some(name => name.startsWith('OTEL_'))) return undefined;
    return import('./start-traces.ts').then(({ startTraces }) => {
      const { traces, note } = startTraces(program);
      if (note !== undefined) log.warn({}, note);
      return traces;
    });
  },
};
