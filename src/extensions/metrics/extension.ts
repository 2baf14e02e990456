import { onOff } from '../../sandbox/config/formats.ts';
import { setting } from '../../sandbox/config/setting.ts';
import { ownSettings } from '../../sandbox/config/settings.ts';
import type { Extension } from '../../sandbox/extension.ts';

const metricsSettings = {
  /** Answers `/metrics` in the text format of Prometheus. Default: false. */
  metrics: setting(onOff, false, 'Answers `/metrics` in the text format of Prometheus', { isWhole: true }),
};

declare module '../../sandbox/config/extension-tables.ts' {
  interface ExtensionTables {
    readonly metrics: typeof metricsSettings;
  }
}

/** `/metrics` for Prometheus. */
export const metrics: Extension = {
  name: 'metrics',
  settings: { Operations: metricsSettings },
  whole({ config, readiness }) {
    if (!ownSettings<typeof metricsSettings>(config).metrics) return undefined;
    return import('./metrics.ts').then(({ createMetrics }) => createMetrics(readiness));
  },
};
