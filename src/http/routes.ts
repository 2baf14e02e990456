import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { authorize } from '../oauth/endpoints/authorize.ts';
import { endSession } from '../oauth/endpoints/end-session.ts';
import { jwks } from '../oauth/endpoints/jwks.ts';
import { oauthMetadataEndpoint, openidConfigurationEndpoint } from '../oauth/endpoints/metadata.ts';
import { token } from '../oauth/endpoints/token.ts';
import { userinfo } from '../oauth/endpoints/userinfo.ts';
import type { Feature } from '../oauth/feature.ts';
import type { EndpointFunction } from './adapter.ts';
import { asChallenge, asJson, asPage, type ErrorForm } from './error-replies.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A path of the sandbox: for the router, the dashboard and the README, which cannot disagree. */
export interface Route {
  /** As in events. */
  readonly name: string;
  readonly methods: readonly Method[];
  readonly path: string;
  readonly about: string;
  readonly source: string;
}

/** A route whose work is an endpoint of the authorization server. */
export interface EndpointRoute extends Route {
  readonly endpoint: EndpointFunction;
  readonly form: ErrorForm;
  /** `credentials` because some SDKs send them to the token endpoint; no cookie means anything there. */
  readonly cors?: 'open' | 'credentials';
  /** Counted by `RATE_LIMIT`. */
  readonly limited?: true;
  /** The answer is the same until a key changes. */
  readonly constant?: true;
  /** Where it is off, the path is answered with 501. */
  readonly feature?: Feature;
  /** What a body brings; a form where it is not said. */
  readonly body?: 'json';
}

/** The endpoints of one issuer, on one screen. `base` is the path of an issuer that has one. */
export function endpointRoutes({ paths }: Pick<AuthorizationServer, 'paths'>, base: string): readonly EndpointRoute[] {
  const at = (path: string) => base + path;
  const open = { cors: 'open' } as const;
  const constant = { ...open, constant: true } as const;
  const limited = { limited: true } as const;
  return [
    ...wellKnown('oauth-authorization-server', base).map(path =>
      route('discovery GET', path, oauthMetadataEndpoint, asJson, 'server metadata', 'RFC 8414', constant),
    ),
    ...wellKnown('openid-configuration', base).map(path =>
      route(
        'discovery GET',
        path,
        openidConfigurationEndpoint,
        asJson,
        'OpenID metadata',
        'OIDC Discovery 1.0',
        constant,
      ),
    ),
    route('jwks GET', at(paths.jwks), jwks, asJson, 'public keys', 'RFC 7517', constant),
    route('authorize GET POST', at(paths.authorize), authorize, asPage, 'authorization endpoint', 'RFC 6749 §3.1'),
    route('token POST', at(paths.token), token, asJson, 'token endpoint', 'RFC 6749 §3.2', {
      cors: 'credentials',
      ...limited,
    }),
    route('userinfo GET POST', at(paths.userinfo), userinfo, asChallenge, 'UserInfo', 'OIDC Core §5.3', {
      ...open,
      ...limited,
    }),
    route('end_session GET POST', at(paths.endSession), endSession, asPage, 'logout', 'OIDC RP-Initiated Logout 1.0'),
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
  rules: Pick<EndpointRoute, 'cors' | 'limited' | 'constant' | 'feature' | 'body'> = {},
): EndpointRoute {
  const [name = '', ...methods] = what.split(' ');
  return { name, methods: methods as Route['methods'], path, endpoint, form, about, source, ...rules };
}

/** An endpoint whose file is loaded when it is first asked: a start does without. */
export function rareEndpoint(load: () => Promise<EndpointFunction>): EndpointFunction {
  return async (server, request) => (await load())(server, request);
}

/** What is not an endpoint of the authorization server. */
export const otherRoutes: readonly Route[] = [
  { name: 'login', methods: ['GET', 'POST'], path: '/login', about: 'login screen with the demo users', source: '' },
  { name: 'logout', methods: ['POST'], path: '/logout', about: 'confirmation of a logout', source: '' },
  {
    name: 'api',
    methods: ['GET', 'POST'],
    path: '/api/<collection>[/<id>]',
    about: 'sample backend; also PUT and DELETE',
    source: 'RFC 6750, RFC 9068, RFC 9457',
  },
  { name: 'dashboard', methods: ['GET'], path: '/dashboard', about: 'debug dashboard', source: '' },
  {
    name: 'health',
    methods: ['GET'],
    path: '/health',
    about: '`{"status":"UP"}` once keys and routes are ready',
    source: '',
  },
  {
    name: 'root',
    methods: ['GET'],
    path: '/',
    about: 'to the dashboard for a browser, links as JSON otherwise',
    source: '',
  },
];

/** Paths we know by name but do not offer: they answer 501 with a sentence, not 404. */
export const notOffered: Readonly<Record<string, string>> = {
  '/oauth2/introspect': 'token introspection (RFC 7662)',
  '/oauth2/revoke': 'token revocation (RFC 7009)',
  '/oauth2/par': 'pushed authorization requests (RFC 9126)',
  '/oauth2/device_authorization': 'the device grant (RFC 8628)',
  '/oauth2/device_verification': 'the device grant (RFC 8628)',
  '/oauth2/bc-authorize': 'client-initiated backchannel authentication (OIDC CIBA)',
  '/connect/register': 'dynamic client registration (RFC 7591)',
  '/.well-known/oauth-protected-resource': 'protected resource metadata (RFC 9728)',
  '/_sandbox': 'the control API',
};
