import type { AuthorizationServer, EndpointPaths } from '../oauth/authorization-server.ts';
import { jwks } from '../oauth/endpoints/jwks.ts';
import { oauthMetadataEndpoint, openidConfigurationEndpoint } from '../oauth/endpoints/metadata.ts';
import { token } from '../oauth/endpoints/token.ts';
import { resourceMetadataPath } from '../oauth/protected-resource.ts';
import type { EndpointFunction } from './adapter.ts';
import { decisionRoutes } from './decision-routes.ts';
import { asChallenge, asJson, asPage, type ErrorForm } from './error-replies.ts';
import type { EndpointRoute, Route } from './route.ts';

/** The endpoints of one issuer, on one screen. `base` is the path of an issuer that has one. */
export function endpointRoutes({ paths }: Pick<AuthorizationServer, 'paths'>, base: string): readonly EndpointRoute[] {
  const at = (path: string) => base + path;
  const open = { cors: 'clients' } as const;
  const constant = { cors: 'anyone', constant: true } as const;
  const limited = { limited: true } as const;
  return [
    ...discoveryRoutes(base),
    route('jwks GET', at(paths.jwks), jwks, asJson, 'public keys', 'RFC 7517', constant),
    route('authorize GET POST', at(paths.authorize), authorize, asPage, 'authorization endpoint', 'RFC 6749 §3.1'),
    route('token POST', at(paths.token), token, asJson, 'token endpoint', 'RFC 6749 §3.2', {
      ...{ ...open, ...limited, credentials: true },
    }),
    route('userinfo GET POST', at(paths.userinfo), userinfo, asChallenge, 'UserInfo', 'OIDC Core §5.3', {
      ...open,
      ...limited,
    }),
    route('par POST', at(paths.pushedAuthorizationRequest), par, asJson, 'pushed requests', 'RFC 9126', {
      ...{ ...open, ...limited, feature: 'par' },
    }),
    ...tokenStatusRoutes(paths, at),
    ...decisionRoutes(paths, at),
    route('end_session GET POST', at(paths.endSession), endSession, asPage, 'logout', 'OIDC RP-Initiated Logout 1.0'),
    ...registrationRoutes(at(paths.register)),
    ...['', paths.userinfo, '/api', '/api/:collection'].map(path =>
      route(
        'resource_metadata GET',
        `${resourceMetadataPath}${base}${path}`,
        resourceMetadata,
        asJson,
        'metadata of what takes tokens',
        'RFC 9728',
        { ...constant, feature: 'protected-resource-metadata' },
      ),
    ),
    route(
      'check_session GET',
      at(paths.checkSession),
      rareEndpoint(async () => (await import('../oauth/endpoints/check-session.ts')).checkSession),
      asPage,
      'iframe that says whether the login is still the same',
      'OIDC Session Management 1.0',
      { feature: 'session-management' },
    ),
  ];
}

const authorize = rareEndpoint(async () => (await import('../oauth/endpoints/authorize.ts')).authorize);
const userinfo = rareEndpoint(async () => (await import('../oauth/endpoints/userinfo.ts')).userinfo);
const endSession = rareEndpoint(async () => (await import('../oauth/endpoints/end-session.ts')).endSession);
const par = rareEndpoint(
  async () => (await import('../oauth/endpoints/pushed-authorization-request.ts')).pushedAuthorizationRequest,
);

function tokenStatusRoutes(
  { introspect: ask, revoke: end }: EndpointPaths,
  at: (path: string) => string,
): EndpointRoute[] {
  const rules = { cors: 'clients', limited: true } as const;
  return [
    route('introspect POST', at(ask), introspect, asJson, 'token introspection', 'RFC 7662, RFC 9701', {
      ...{ ...rules, feature: 'introspection' },
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
      'what a client registered: read, replace, delete',
      'RFC 7592',
      rules,
    ),
  ];
}

function discoveryRoutes(base: string): EndpointRoute[] {
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

/** `what` is the route's name and its methods. */
function route(
  what: string,
  path: string,
  endpoint: EndpointFunction,
  form: ErrorForm,
  about: string,
  source: string,
  rules: Pick<EndpointRoute, 'cors' | 'credentials' | 'limited' | 'constant' | 'feature' | 'body'> = {},
): EndpointRoute {
  const [name = '', ...methods] = what.split(' ');
  return { name, methods: methods as Route['methods'], path, endpoint, form, about, source, ...rules };
}

/** An endpoint whose file is loaded when it is first asked: a start does without. */
function rareEndpoint(load: () => Promise<EndpointFunction>): EndpointFunction {
  return async (server, request) => (await load())(server, request);
}

const register = rareEndpoint(async () => (await import('../oauth/endpoints/register.ts')).register);
const clientConfiguration = rareEndpoint(
  async () => (await import('../oauth/endpoints/client-configuration.ts')).clientConfiguration,
);
const resourceMetadata = rareEndpoint(
  async () => (await import('../oauth/endpoints/resource-metadata.ts')).resourceMetadata,
);
const introspect = rareEndpoint(async () => (await import('../oauth/endpoints/introspect.ts')).introspect);
const revoke = rareEndpoint(async () => (await import('../oauth/endpoints/revoke.ts')).revoke);
