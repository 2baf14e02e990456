import type { EndpointPaths } from '../oauth/authorization-server.ts';
import { asJson, asPage } from './error-replies.ts';
import type { EndpointRoute } from './route.ts';

/** Where a user decides about what a client asked for on another screen, and where the client asks. */
export function decisionRoutes(paths: EndpointPaths, at: (path: string) => string): readonly EndpointRoute[] {
  const asked = { methods: ['POST'], form: asJson, cors: 'clients', limited: true } as const;
  const decided = { methods: ['GET', 'POST'], form: asPage, ownOrigin: true, limited: 'login' } as const;
  return [
    {
      ...{ ...asked, name: 'device_authorization', path: at(paths.deviceAuthorization), feature: 'device' },
      ...{ about: 'device authorization', source: 'RFC 8628' },
      endpoint: async (server, request) =>
        (await import('../oauth/endpoints/device-authorization.ts')).deviceAuthorization(server, request),
    },
    {
      ...{ ...decided, name: 'device_verification', path: at(paths.deviceVerification), feature: 'device' },
      ...{ about: 'page where a user types the code of a device', source: 'RFC 8628 §3.3' },
      endpoint: async (server, request) =>
        (await import('../oauth/endpoints/device-verification.ts')).deviceVerification(server, request),
    },
    {
      ...{ name: 'device_qr', methods: ['GET'], path: `${at(paths.deviceVerification)}/qr`, form: asJson },
      ...{ about: 'QR code of the `verification_uri_complete` of a `user_code`, as SVG', source: 'RFC 8628 §3.3.1' },
      ...{ cors: 'clients', limited: true, feature: 'device' },
      endpoint: async (server, request) => (await import('./signin/device-qr.ts')).deviceQr(server, request),
    },
    {
      ...{ ...asked, name: 'backchannel_authentication', path: at(paths.backchannelAuthentication), feature: 'ciba' },
      ...{ about: 'backchannel authentication', source: 'OIDC CIBA' },
      endpoint: async (server, request) =>
        (await import('../oauth/endpoints/backchannel-authentication.ts')).backchannelAuthentication(server, request),
    },
    {
      ...{ ...decided, name: 'approvals', path: at(paths.approvals), feature: 'ciba' },
      ...{ about: 'page where a user approves what clients asked for', source: 'OIDC CIBA §8' },
      endpoint: async (server, request) => (await import('../oauth/endpoints/approvals.ts')).approvals(server, request),
    },
  ];
}
