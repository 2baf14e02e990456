import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { SandboxEvent } from '../../base/events/event.ts';
import { createBoundedLabels } from './bounded-labels.ts';
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
export function createMetricsRegistry(readers: Readonly<Record<GaugeName, GaugeReader>>) {
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
