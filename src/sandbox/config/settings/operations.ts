import { seconds, wholeNumber } from '../formats.ts';
import { proxies } from '../proxy-format.ts';
import { setting } from '../setting.ts';

/** For a sandbox that is shared, watched and stopped by others. */
export const operationsSettings = {
  /**
   * Time between the moment `/ready` answers 503 and the moment the server closes its port, so that a balancer notices in time.
   * Default 0.
   */
  drainDelay: setting(
    seconds(0, 3600),
    0,
    'Time for which a stopping server still answers after `/ready` says no, so that a balancer notices',
    { isWhole: true },
  ),
  /**
   * Proxies whose `X-Forwarded-For` and `X-Forwarded-Prefix` are believed: `loopback`, `private`, addresses, networks. Forwarded
   * headers of everybody else are ignored. Default: none.
   */
  trustProxy: setting(
    proxies,
    [],
    'Proxies whose X-Forwarded-For and X-Forwarded-Prefix are believed: loopback, private, addresses, networks',
    { isWhole: true },
  ),
  /** Entries of each kind that the memory of the protocol keeps: sessions, codes, refresh tokens. Default 10,000. */
  storeSize: setting(
    wholeNumber(100, 1_000_000),
    10_000,
    'Number of sessions, of codes, of refresh tokens and of each other kind of entry that are kept; the oldest go first',
  ),
  /** Users that can be added to those of the configuration while the sandbox runs. Default 1,000. */
  userLimit: setting(
    wholeNumber(0, 100_000),
    1000,
    'Number of users that can be added to the configured ones while the sandbox runs',
  ),
};
