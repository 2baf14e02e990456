import { onOff } from '../../sandbox/config/formats.ts';
import { setting } from '../../sandbox/config/setting.ts';

export const metricsSettings = {
  /** Answers `/metrics` in the text format of Prometheus. Default: false. */
  metrics: setting(onOff, false, 'Answers `/metrics` in the text format of Prometheus', { isWhole: true }),
};

declare module '../../sandbox/config/extension-tables.ts' {
  interface ExtensionTables {
    readonly metrics: typeof metricsSettings;
  }
}
