import { filePath, storeUrl, visibleText, wholeNumber } from '../formats.ts';
import { setting } from '../setting.ts';

/** Where the state of the sandbox is, if not in this process alone. */
export const storeSettings = {
  /**
   * The engine (Valkey 7.2, Redis 6.2 or newer) that all replicas of this sandbox share. Default: none, everything is in this
   * process.
   */
  storeUrl: setting(
    storeUrl,
    undefined,
    'Valkey or Redis that all replicas of this sandbox share; without it the state is in this process',
    { secret: true, defaultText: 'none', isWhole: true },
  ),
  /** Begins each key in the engine, so that several sandboxes can share it. Default `grantbox`. */
  storePrefix: setting(
    visibleText,
    'grantbox',
    'Begins each key in the shared store, so that several sandboxes can use one engine',
    { isWhole: true },
  ),
  /** PEM file with the CA that signed the certificate of the engine. Default: the CAs of Node. */
  storeCa: setting(
    filePath,
    undefined,
    'PEM file with the CA that signed the certificate of the shared store (rediss://, valkeys://)',
    { defaultText: 'the CAs of Node', isWhole: true },
  ),
  /** Replicas of the engine that must have each single-use write before it counts. Default 0. */
  storeWait: setting(
    wholeNumber(0, 10),
    0,
    'Replicas of the engine that must have a write of a code or another single-use value before it counts (WAIT)',
    { isWhole: true },
  ),
};
