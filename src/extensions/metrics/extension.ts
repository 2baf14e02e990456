import { ownSettings } from '../../sandbox/config/settings.ts';
import type { Extension } from '../../sandbox/extension.ts';
import { metricsSettings } from './settings.ts';

/** `/metrics` for Prometheus. */
export const metrics: Extension = {
  name: 'metrics',
  settings: { Operations: metricsSettings },
  whole({ config, readiness }) {
    if (!ownSettings<typeof metricsSettings>(config).metrics) return undefined;
    return import('./issuer-metrics.ts').then(({ createMetrics }) => createMetrics(readiness));
  },
};
