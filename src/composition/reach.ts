import type { DashboardOptions } from '../dashboard/dashboard.ts';
import { defined } from '../defined.ts';
import type { Core } from './core.ts';

/** How this sandbox is reached, for the pages that tell it. */
export function reachOf({ config, tls, server }: Pick<Core, 'config' | 'tls' | 'server'>): DashboardOptions['reach'] {
  const { backchannelUrl, allowedHosts, configFile, loginMode, registration } = config;
  return {
    ...defined({ backchannelUrl, configFile }),
    allowedHosts,
    loginMode,
    scheme: tls === undefined ? 'http' : 'https',
    hasOwnCa: tls?.ca !== undefined,
    canRegister: registration === 'open' && server.features.has('registration'),
  };
}
