import { createRequire } from 'node:module';
import { join } from 'node:path';
import { version } from '../../package.ts';
import type { OwnProcess, WholePart } from '../../sandbox/extension.ts';
import type { OtelApi } from './spans.ts';
import { noteFacts, tracedListener, tracedOutbound } from './spans.ts';

/** The part of `@opentelemetry/sdk-node` that starts it. */
interface OtelSdk {
  readonly NodeSDK: new (options: {
    readonly serviceName?: string;
    readonly metricReaders: [];
    readonly logRecordProcessors: [];
  }) => StartedSdk;
}
interface StartedSdk {
  start(): void;
  shutdown(): Promise<void>;
}
type Variables = OwnProcess['env'];

/** Traces, or why there are none although the environment asks for them. */
export interface TracesOrNote {
  readonly traces?: WholePart;
  readonly note?: string;
}

/** The two packages that a user installs. */
const packages = ['@opentelemetry/api', '@opentelemetry/sdk-node'] as const;

/**
 * Starts the SDK of OpenTelemetry, which reads its own variables: exporter, endpoint, headers, sampler, propagators, resource. An
 * SDK that the process has started already (`node --require`) is used as it is.
 */
export function startTraces({ env, folders }: OwnProcess): TracesOrNote {
  if (!asksForTraces(env)) return {};
  const found = resolvePackages(folders);
  if ('note' in found) return found;
  const { api, sdk } = found;
  return { traces: createTraces(api, isStarted(api) ? undefined : startSdk(sdk, env)) };
}

/** True if the variables name an exporter or an endpoint, and do not switch them off. */
export function asksForTraces(env: Variables): boolean {
  const { OTEL_SDK_DISABLED = '', OTEL_TRACES_EXPORTER = '', ...others } = env;
  const exporter = OTEL_TRACES_EXPORTER.trim().toLowerCase();
  if (OTEL_SDK_DISABLED.trim().toLowerCase() === 'true' || exporter === 'none') return false;
  const endpoints = [others.OTEL_EXPORTER_OTLP_ENDPOINT, others.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT];
  return exporter !== '' || endpoints.some(each => (each ?? '').trim() !== '');
}

function resolvePackages(folders: readonly string[]): { api: OtelApi; sdk: OtelSdk } | { note: string } {
  const failures: unknown[] = [];
  for (const folder of folders) {
    try {
      const require = createRequire(join(folder, 'package.json'));
      // their types are those of the packages that the tests run with
      return { api: require(packages[0]) as OtelApi, sdk: require(packages[1]) as OtelSdk };
    } catch (error) {
      failures.push(error);
    }
  }
  const why = failures.map(codeOf).every(code => code === 'MODULE_NOT_FOUND')
    ? 'its packages are not installed'
    : `its packages cannot be loaded (${failures.map(codeOf).find(code => code !== 'MODULE_NOT_FOUND')})`;
  return {
    note: `The variables of OpenTelemetry ask for traces, but ${why}: run npm install ${packages.join(' ')} in ${folders[0]}, or set OTEL_TRACES_EXPORTER=none. The sandbox runs without traces.`,
  };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? String(error.code) : (error.message.split('\n', 1)[0] ?? error.name);
}

/** A tracer of the API alone is a proxy without a delegate. */
function isStarted({ trace, ProxyTracerProvider }: OtelApi): boolean {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider && provider.getDelegate().constructor.name !== 'NoopTracerProvider';
}

/** Traces alone: the sandbox makes no logs and no metrics for OTLP. */
function startSdk({ NodeSDK }: OtelSdk, env: Variables): StartedSdk {
  const isNamed =
    env.OTEL_SERVICE_NAME !== undefined || /(^|,)\s*service\.name=/.test(env.OTEL_RESOURCE_ATTRIBUTES ?? '');
  const sdk = new NodeSDK({
    ...(isNamed ? {} : { serviceName: 'grantbox' }),
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  return sdk;
}

function createTraces(api: OtelApi, sdk: StartedSdk | undefined): WholePart {
  const tracer = api.trace.getTracer('grantbox', version);
  return {
    watch(events) {
      const { append } = events;
      events.append = (fact, requestId) => {
        const span = api.trace.getActiveSpan();
        if (span !== undefined) noteFacts(span, fact);
        return append(fact, requestId);
      };
    },
    around: (next, issuer) => tracedListener({ api, tracer }, next, issuer),
    outbound: outbound => tracedOutbound({ api, tracer }, outbound),
    correlation() {
      const context = api.trace.getActiveSpan()?.spanContext();
      return context && { trace_id: context.traceId, span_id: context.spanId };
    },
    // a collector that is away must not fail the stop
    close: async () => sdk?.shutdown().catch(() => {}),
  };
}
