import type { GrantHandler } from '../authorization-server.ts';
import { poll } from '../decoupled/pending-authorization.ts';
import { requiredParameter } from '../parameters.ts';

/** OIDC CIBA §10.1: a client asks whether its user has approved. */
export const ciba: GrantHandler = {
  grantType: 'urn:openid:params:grant-type:ciba',
  feature: 'ciba',
  parameters: ['auth_req_id'],
  redeem: ({ server, client, parameters }) =>
    poll(server, client, 'auth_req_id', requiredParameter(parameters, 'auth_req_id')),
};
