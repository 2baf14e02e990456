import { onOff, seconds } from '../formats.ts';
import { setting } from '../setting.ts';

/** For a sandbox that is shared, watched and stopped by others. */
export const operationsSettings = {
  /**
   * Time between the moment `/ready` answers 503 and the moment the server closes its port, so that a balancer notices in time.
   * Default 0.
   */
  drainDelay: setting(
    'Operations',
    '--drain-delay DRAIN_DELAY',
    seconds(0, 3600),
    0,
    'Time for which a stopping server still answers after `/ready` says no, so that a balancer notices',
    { isWhole: true },
  ),
  /** Answers `/metrics` in the text format of Prometheus. Default: false. */
  metrics: setting(
    'Operations',
    '--metrics METRICS',
    onOff,
    false,
    'Answers `/metrics` in the text format of Prometheus',
    { isWhole: true },
  ),
};
