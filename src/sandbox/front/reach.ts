import { defined } from '../../base/defined.ts';
import type { DashboardOptions } from '../dashboard.ts';
import type { Core } from '../extension.ts';

type Parts = Pick<Core, 'config' | 'tls' | 'server' | 'preset'>;

/** How this sandbox is reached, for the pages that tell it. */
export function reachOf(core: Parts): DashboardOptions['reach'] {
  const { config, tls, server } = core;
  const { backchannelUrl, allowedHosts, configFile, loginMode, registration } = config;
  return {
    ...defined({ backchannelUrl, configFile, provider: providerOf(core) }),
    allowedHosts,
    loginMode,
    scheme: tls === undefined ? 'http' : 'https',
    hasOwnCa: tls?.ca !== undefined,
    canRegister: registration === 'open' && server.features.has('registration'),
  };
}

function providerOf({ config, server, preset }: Parts): DashboardOptions['reach']['provider'] {
  if (config.preset === undefined || preset === undefined) return undefined;
  const { accessTokenType } = preset.dialect;
  return { ...config.preset, accessTokenType, address: preset.addressOf(server.issuer) };
}
