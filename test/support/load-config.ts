import { modules } from '../../src/modules.ts';
import { type ConfigSources, type LoadedConfig, loadConfig as load } from '../../src/sandbox/config/load-config.ts';

/** As `main.ts` reads it: with everything that Grantbox is put together from. */
export function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  return load({ modules, ...sources });
}
