import type { GrantHandler } from '../authorization-server.ts';
import { poll } from '../decoupled/pending-authorization.ts';
import { requiredParameter } from '../parameters.ts';

/** RFC 8628 §3.4: a device asks whether the user has approved on another screen. */
export const deviceCode: GrantHandler = {
  grantType: 'urn:ietf:params:oauth:grant-type:device_code',
  feature: 'device',
  parameters: ['device_code'],
  redeem: ({ server, client, parameters }) =>
    poll(server, client, 'device_code', requiredParameter(parameters, 'device_code')),
};
