import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { authorize } from '../oauth/endpoints/authorize.ts';
import { endSession } from '../oauth/endpoints/end-session.ts';
import { jwks } from '../oauth/endpoints/jwks.ts';
import { oauthMetadataEndpoint, openidConfigurationEndpoint } from '../oauth/endpoints/metadata.ts';
import { token } from '../oauth/endpoints/token.ts';
import { userinfo } from '../oauth/endpoints/userinfo.ts';
import type { EndpointFunction } from './adapter.ts';
import { asChallenge, asJson, asPage, type ErrorForm } from './error-replies.ts';

/** A path of the sandbox: for the router, the dashboard and the README, which cannot disagree. */
export interface Route {
  /** As in events. */
  readonly name: string;
  readonly methods: readonly ('GET' | 'POST')[];
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
}

/** The endpoints of one issuer, on one screen. `base` is the path of an issuer that has one. */
export function endpointRoutes({ paths }: Pick<AuthorizationServer, 'paths'>, base: string): readonly EndpointRoute[] {
  const get = ['GET'] as const;
  const post = ['POST'] as const;
  const both = ['GET', 'POST'] as const;
  const wellKnown = (name: string) => (base === '' ? [`/.well-known/${name}`] : [`/.well-known/${name}${base}`, `${base}/.well-known/${name}`]);
  const document = { name: 'discovery', methods: get, form: asJson, cors: 'open', constant: true } as const;
  return [
    ...wellKnown('oauth-authorization-server').map(path => ({ ...document, path, endpoint: oauthMetadataEndpoint, about: 'server metadata', source: 'RFC 8414' })),
    ...wellKnown('openid-configuration').map(path => ({ ...document, path, endpoint: openidConfigurationEndpoint, about: 'the same with the OpenID Connect members', source: 'OIDC Discovery 1.0' })),
    { name: 'jwks', methods: get, path: base + paths.jwks, endpoint: jwks, form: asJson, cors: 'open', constant: true, about: 'public keys', source: 'RFC 7517' },
    { name: 'authorize', methods: both, path: base + paths.authorize, endpoint: authorize, form: asPage, about: 'authorization endpoint', source: 'RFC 6749 §3.1, RFC 7636, RFC 9207' },
    { name: 'token', methods: post, path: base + paths.token, endpoint: token, form: asJson, cors: 'credentials', limited: true, about: 'token endpoint', source: 'RFC 6749 §3.2' },
    { name: 'userinfo', methods: both, path: base + paths.userinfo, endpoint: userinfo, form: asChallenge, cors: 'open', limited: true, about: 'UserInfo', source: 'OIDC Core §5.3' },
    { name: 'end_session', methods: both, path: base + paths.endSession, endpoint: endSession, form: asPage, about: 'RP-initiated logout', source: 'OIDC RP-Initiated Logout 1.0' },
  ];
}

/** What is not an endpoint of the authorization server. */
export const otherRoutes: readonly Route[] = [
  { name: 'login', methods: ['GET', 'POST'], path: '/login', about: 'login screen with the demo users', source: '' },
  { name: 'logout', methods: ['POST'], path: '/logout', about: 'confirmation of a logout', source: '' },
  { name: 'api', methods: ['GET', 'POST'], path: '/api/<collection>[/<id>]', about: 'sample backend; also PUT and DELETE', source: 'RFC 6750, RFC 9068, RFC 9457' },
  { name: 'dashboard', methods: ['GET'], path: '/dashboard', about: 'debug dashboard', source: '' },
  { name: 'health', methods: ['GET'], path: '/health', about: '`{"status":"UP"}` once keys and routes are ready', source: '' },
  { name: 'root', methods: ['GET'], path: '/', about: 'to the dashboard for a browser, links as JSON otherwise', source: '' },
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
