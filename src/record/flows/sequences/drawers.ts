import { purposeOf } from '../correlation/loose-requests.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { drawAuthorize, drawConsent, drawLogin, drawPushed } from './authorization.ts';
import { drawApprovals, drawBackchannel, drawDevice, drawPageLogin, drawVerification } from './decisions.ts';
import { drawConfirm, drawEndSession } from './logout.ts';
import type { Draw } from './model.ts';
import { drawToken } from './tokens.ts';
import {
  drawApi,
  drawDocument,
  drawIntrospect,
  drawPreflight,
  drawRegistration,
  drawRevoke,
  drawUserinfo,
} from './uses.ts';

const drawers: Readonly<Record<string, Draw>> = {
  par: drawPushed,
  authorize: drawAuthorize,
  login: drawLogin,
  consent: drawConsent,
  token: drawToken,
  device_authorization: drawDevice,
  device_verification: drawVerification,
  backchannel_authentication: drawBackchannel,
  approvals: drawApprovals,
  end_session: drawEndSession,
  logout: drawConfirm,
  api: drawApi,
  userinfo: drawUserinfo,
  introspect: drawIntrospect,
  revoke: drawRevoke,
  discovery: drawDocument,
  jwks: drawDocument,
  resource_metadata: drawDocument,
  registration: drawRegistration,
  client_configuration: drawRegistration,
};

/** Selects the function that draws a request, by endpoint; an endpoint that is not in the table draws nothing. */
export function drawerOf(request: RecordedRequest): Draw {
  const { endpoint, method } = request.event;
  if (method === 'OPTIONS') return drawPreflight;
  if (endpoint === 'login' && purposeOf(request) !== undefined) return drawPageLogin;
  return drawers[endpoint] ?? (() => []);
}
