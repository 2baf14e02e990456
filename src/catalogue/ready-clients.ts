import type { TrustedIssuerEntry } from '../config/sandbox-config.ts';
import { apps } from './apps.ts';
import { demoKey } from './demo-key.ts';
import { devices, removed } from './devices.ts';
import type { ReadyClient } from './ready-client.ts';
import { servicesAndApis } from './services.ts';
import { webApps } from './web-apps.ts';

/** The catalogue: a client for each grant, authentication method and kind of application, in the order of the page. */
export const readyClients: readonly ReadyClient[] = [...apps, ...webApps, ...servicesAndApis, ...devices, ...removed];

/** The partner whose assertions `catalogue-jwt-bearer` sends. It signs with the demo key. */
export const readyTrustedIssuers: Readonly<Record<string, TrustedIssuerEntry>> = {
  'https://partner.example': { jwks: { keys: [demoKey] } },
};
