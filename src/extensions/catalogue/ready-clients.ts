import type { TrustedIssuerEntry } from '../../sandbox/config/sandbox-config.ts';
import { browserApps, nativeApps, webApps } from './apps.ts';
import { demoKey } from './demo-key.ts';
import type { ApplicationKind, ClientOfKind, ReadyClient } from './ready-client.ts';
import { apis, devices, removed, services } from './services.ts';

/** The catalogue: a client for each grant, authentication method and kind of application, in the order of the page. */
export const readyClients: readonly ReadyClient[] = [
  ...ofKind('browser', browserApps),
  ...ofKind('native', nativeApps),
  ...ofKind('web', webApps),
  ...ofKind('service', services),
  ...ofKind('api', apis),
  ...ofKind('device', devices),
  ...ofKind('removed', removed),
];

function ofKind(kind: ApplicationKind, clients: readonly ClientOfKind[]): ReadyClient[] {
  return clients.map(client => ({ kind, ...client }));
}

/** The partner whose assertions `catalogue-jwt-bearer` sends. It signs with the demo key. */
export const readyTrustedIssuers: Readonly<Record<string, TrustedIssuerEntry>> = {
  'https://partner.example': { jwks: { keys: [demoKey] } },
};
