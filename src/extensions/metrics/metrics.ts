import type { RequestListener } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { SandboxEvent } from '../../base/events/event.ts';
import { version } from '../../package.ts';
import type { Issuer, WholePart } from '../../sandbox/extension.ts';
import { limitsOf } from '../../sandbox/limits.ts';
import type { Readiness } from '../../server/http/readiness.ts';
import { type GaugeName, type GaugeRow, gaugeRows, type MetricRow, metricRows } from './metrics-table.ts';

/** The values of a gauge by its labels, in their order. They are read when somebody asks for the metrics. */
export type GaugeReader = () => Promise<readonly (readonly [labels: readonly string[], value: number])[]>;

/** The metrics of one sandbox. */
export type MetricsRegistry = ReturnType<typeof createMetricsRegistry>;

/** Seconds. A token takes a millisecond, a login page some tens, and a person or a fault many seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics of Node and of the process. Sandboxes of one process share them, because nothing stops their collection. */
let ofProcess: Registry | undefined;

function processRegistry(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** Creates the metrics of a sandbox, and collects those of its process from now on. */
function createMetricsRegistry(readers: Readonly<Record<GaugeName, GaugeReader>>) {
  const registry = new Registry();
  const counts = metricRows.map(row => counting(row, registry));
  for (const gauge of gaugeRows) reading(gauge, readers[gauge.name], registry);
  const all = Registry.merge([registry, processRegistry()]);
  return {
    /** Counts an event. */
    count(event: SandboxEvent): void {
      for (const count of counts) count(event);
    },
    /** The text exposition format of Prometheus. */
    render: () => all.metrics(),
    contentType: all.contentType,
  };
}

function reading({ name, help, labels }: GaugeRow, read: GaugeReader, registry: Registry): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    async collect() {
      const found = await read();
      gauge.reset();
      for (const [values, value] of found) gauge.labels(...values).set(value);
    },
  });
}

function counting({ name, help, labels, type, read }: MetricRow, registry: Registry): (event: SandboxEvent) => void {
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  const bounded = createBoundedLabels();
  if (type === 'counter') {
    const counter = new Counter(options);
    return event => {
      const found = read(event);
      if (found !== undefined) counter.labels(...bounded(found.labels)).inc();
    };
  }
  const histogram = new Histogram({ ...options, buckets });
  return event => {
    const found = read(event);
    if (found?.seconds !== undefined) histogram.labels(...bounded(found.labels)).observe(found.seconds);
  };
}

/** Most series of one metric. The closed list of reasons is the longest with some hundreds. */
const mostSeries = 1000;

/** Label values in place of those beyond the limit. */
const other = 'other';

/**
 * Keeps the series of one metric bounded: label values that would begin one more are replaced by `other`. All labels are from
 * closed lists, so this is reached only if a list turns out to be open.
 */
export function createBoundedLabels(most = mostSeries): (labels: readonly (string | number)[]) => string[] {
  const known = new Set<string>();
  return labels => {
    const values = labels.map(String);
    const key = values.join('\n');
    if (known.has(key)) return values;
    if (known.size >= most) return values.map(() => other);
    known.add(key);
    return values;
  };
}

/** Answers GET and HEAD for `/metrics`, and leaves every other path to `next`. */
function answerMetrics(registry: MetricsRegistry, next: RequestListener): RequestListener {
  return (req, res) => {
    if (req.url?.split('?', 1)[0] !== '/metrics') return next(req, res);
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { Allow: 'GET, HEAD', 'Content-Type': 'text/plain' });
      return res.end('/metrics accepts GET and HEAD only\n');
    }
    void registry.render().then(
      text => res.writeHead(200, { 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' }).end(text),
      error => res.writeHead(500, { 'Content-Type': 'text/plain' }).end(`the metrics failed: ${nameOf(error)}\n`),
    );
  };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

/** The metrics of a running sandbox. Loaded only with `METRICS=on`. */
export function createMetrics(readiness: Readiness): WholePart {
  let first: Issuer | undefined;
  const limits = async () => (first === undefined ? [] : limitsOf(first));
  const registry = createMetricsRegistry({
    grantbox_build_info: async () => [[[version], 1]],
    grantbox_ready: async () => [[[], readiness.checks().every(({ state }) => state === 'UP') ? 1 : 0]],
    grantbox_stored: async () => [...((await first?.server.store.sizes?.()) ?? [])].map(([kind, n]) => [[kind], n]),
    grantbox_limit_used: async () => (await limits()).map(({ name, used }) => [[name], used]),
    grantbox_limit_max: async () => (await limits()).map(({ name, most }) => [[name], most]),
  });
  return {
    /** Counts the events that this process adds to a log. A subscriber would also count those of other processes. */
    watch: events => void events.hearOwn(registry.count),
    /** Answers `/metrics` before `next`. The gauges are those of the first issuer. */
    before(next, issuer) {
      first = issuer;
      return answerMetrics(registry, next);
    },
  };
}
