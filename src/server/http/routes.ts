import type { AuthorizationServer, EndpointPaths } from '../../protocol/authorization-server.ts';
import {
  jwks,
  oauthMetadataEndpoint,
  openidConfigurationEndpoint,
  resourceMetadata,
} from '../../protocol/endpoints/metadata.ts';
import { checkSession } from '../../protocol/endpoints/sessions.ts';
import { token } from '../../protocol/endpoints/token.ts';
import { resourceMetadataPath } from '../../protocol/protected-resource.ts';
import type { EndpointFunction } from './adapter.ts';
import { asChallenge, asJson, asPage, type ErrorForm } from './error-replies.ts';
import { type EndpointRoute, routeAt } from './route.ts';

/** The endpoints of one issuer, on one screen. `base` is the path of an issuer that has one. */
export function endpointRoutes({ paths }: Pick<AuthorizationServer, 'paths'>, base: string): readonly EndpointRoute[] {
  const at = (path: string) => base + path;
  const called = { cors: 'clients', limited: true } as const;
  const constant = { cors: 'anyone', constant: true } as const;
  return [
    ...discoveryRoutes(base),
    route('jwks GET', at(paths.jwks), jwks, asJson, 'public keys', 'RFC 7517', constant),
    route('authorize GET POST', at(paths.authorize), authorize, asPage, 'authorization endpoint', 'RFC 6749 §3.1'),
    route('token POST', at(paths.token), token, asJson, 'token endpoint', 'RFC 6749 §3.2', {
      ...called,
      credentials: true,
    }),
    route('userinfo GET POST', at(paths.userinfo), userinfo, asChallenge, 'UserInfo', 'OIDC Core §5.3', called),
    route('par POST', at(paths.pushedAuthorizationRequest), par, asJson, 'pushed authorization requests', 'RFC 9126', {
      ...called,
      feature: 'par',
    }),
    ...tokenStatusRoutes(paths, at),
    ...deviceRoutes(at(paths.deviceAuthorization), at(paths.deviceVerification)),
    ...backchannelRoutes(at(paths.backchannelAuthentication), at(paths.approvals)),
    route('end_session GET POST', at(paths.endSession), endSession, asPage, 'logout', 'OIDC RP-Initiated Logout 1.0'),
    ...registrationRoutes(at(paths.register)),
    ...['', paths.userinfo, '/api', '/api/:collection'].map(path =>
      route(
        'resource_metadata GET',
        `${resourceMetadataPath}${base}${path}`,
        resourceMetadata,
        asJson,
        'metadata of an API that accepts tokens',
        'RFC 9728',
        { ...constant, feature: 'protected-resource-metadata' },
      ),
    ),
    route(
      'check_session GET',
      at(paths.checkSession),
      checkSession,
      asPage,
      'iframe that tells an app when the sign-in has changed',
      'OIDC Session Management 1.0',
      { feature: 'session-management' },
    ),
  ];
}

/**
 * The short paths that mock-oauth2-server has below each issuer, besides the usual ones: for a sandbox in its place, whose clients
 * have them in their configuration.
 */
export function withShortPaths(routes: readonly EndpointRoute[], base: string): readonly EndpointRoute[] {
  const short = Object.entries(shortPaths).flatMap(([name, path]) =>
    routes.filter(route => route.name === name).map(route => ({ ...route, path: base + path })),
  );
  return [...routes, ...short];
}

/** By the name of the route. */
export const shortPaths = {
  authorize: '/authorize',
  token: '/token',
  jwks: '/jwks',
  introspect: '/introspect',
  revoke: '/revoke',
  end_session: '/endsession',
};

const authorize = rareEndpoint(async () => (await import('../../protocol/endpoints/authorize.ts')).authorize);
const userinfo = rareEndpoint(async () => (await import('../../protocol/endpoints/userinfo.ts')).userinfo);
const endSession = rareEndpoint(async () => (await import('../../protocol/endpoints/end-session.ts')).endSession);
const par = rareEndpoint(
  async () => (await import('../../protocol/endpoints/pushed-authorization-request.ts')).pushedAuthorizationRequest,
);

function tokenStatusRoutes(
  { introspect: ask, revoke: end }: EndpointPaths,
  at: (path: string) => string,
): EndpointRoute[] {
  const rules = { cors: 'clients', limited: true } as const;
  return [
    route('introspect POST', at(ask), introspect, asJson, 'token introspection', 'RFC 7662, RFC 9701', {
      ...rules,
      feature: 'introspection',
    }),
    route('revoke POST', at(end), revoke, asJson, 'token revocation', 'RFC 7009', { ...rules, feature: 'revocation' }),
  ];
}

function registrationRoutes(path: string): EndpointRoute[] {
  const rules = { cors: 'listed', limited: true, feature: 'registration', body: 'json' } as const;
  return [
    route('registration POST', path, register, asJson, 'dynamic client registration', 'RFC 7591', rules),
    route(
      'client_configuration GET PUT DELETE',
      `${path}/:client_id`,
      clientConfiguration,
      asJson,
      'reads, replaces or deletes a registered client',
      'RFC 7592',
      rules,
    ),
  ];
}

/** The metadata documents of an issuer with this path. */
export function discoveryRoutes(base: string): EndpointRoute[] {
  const rules = { cors: 'anyone', constant: true } as const;
  return [
    ...wellKnown('oauth-authorization-server', base).map(path =>
      route('discovery GET', path, oauthMetadataEndpoint, asJson, 'server metadata', 'RFC 8414', rules),
    ),
    ...wellKnown('openid-configuration', base).map(path =>
      route('discovery GET', path, openidConfigurationEndpoint, asJson, 'OpenID metadata', 'OIDC Discovery 1.0', rules),
    ),
  ];
}

/** RFC 8414 §3.1 inserts the issuer's path, OIDC Discovery §4 appends it; both documents answer at both. */
function wellKnown(name: string, base: string): string[] {
  return [...new Set([`/.well-known/${name}${base}`, `${base}/.well-known/${name}`])];
}

/** The endpoint that a device calls, and the page on which its user decides. */
function deviceRoutes(asks: string, verification: string): EndpointRoute[] {
  const asked = { cors: 'clients', limited: true, feature: 'device' } as const;
  const decided = { ownOrigin: true, limited: 'login', feature: 'device' } as const;
  const page = 'page where a user types the code of a device';
  const picture = 'QR code of the `verification_uri_complete` of a `user_code`, as SVG';
  return [
    route('device_authorization POST', asks, deviceAuthorization, asJson, 'device authorization', 'RFC 8628', asked),
    route('device_verification GET POST', verification, deviceVerification, asPage, page, 'RFC 8628 §3.3', decided),
    route('device_qr GET', `${verification}/qr`, deviceQr, asJson, picture, 'RFC 8628 §3.3.1', asked),
  ];
}

/** The endpoint where a client asks for a user on another device, and the page on which that user decides. */
function backchannelRoutes(asks: string, decides: string): EndpointRoute[] {
  const asked = { cors: 'clients', limited: true, feature: 'ciba' } as const;
  const decided = { ownOrigin: true, limited: 'login', feature: 'ciba' } as const;
  const page = 'page where a user allows or denies requests of clients';
  const what = 'backchannel_authentication POST';
  return [
    route(what, asks, backchannelAuthentication, asJson, 'backchannel authentication', 'OIDC CIBA', asked),
    route('approvals GET POST', decides, approvals, asPage, page, 'OIDC CIBA §8', decided),
  ];
}

/** `what` is the route's name and its methods. */
function route(
  what: string,
  path: string,
  endpoint: EndpointFunction,
  form: ErrorForm,
  about: string,
  source: string,
  rules: Partial<EndpointRoute> = {},
): EndpointRoute {
  return { ...routeAt(what, path, about, source), endpoint, form, ...rules };
}

/** An endpoint whose module is loaded with its first request, so that the start does not wait for it. */
function rareEndpoint(load: () => Promise<EndpointFunction>): EndpointFunction {
  return async (server, request) => (await load())(server, request);
}

const register = rareEndpoint(async () => (await import('../../protocol/endpoints/register.ts')).register);
const clientConfiguration = rareEndpoint(
  async () => (await import('../../protocol/endpoints/register.ts')).clientConfiguration,
);
const introspect = rareEndpoint(async () => (await import('../../protocol/endpoints/introspect.ts')).introspect);
const revoke = rareEndpoint(async () => (await import('../../protocol/endpoints/revoke.ts')).revoke);
const deviceAuthorization = rareEndpoint(
  async () => (await import('../../protocol/endpoints/device-authorization.ts')).deviceAuthorization,
);
const deviceVerification = rareEndpoint(
  async () => (await import('../../protocol/endpoints/device-authorization.ts')).deviceVerification,
);
const deviceQr = rareEndpoint(async () => (await import('./signin/device-qr.ts')).deviceQr);
const backchannelAuthentication = rareEndpoint(
  async () => (await import('../../protocol/endpoints/backchannel-authentication.ts')).backchannelAuthentication,
);
const approvals = rareEndpoint(async () => (await import('../../protocol/endpoints/approvals.ts')).approvals);
