import type { EndpointRoute } from './route.ts';

/**
 * Names of endpoints on other servers, by the end of the path without the slash before it: Auth0, Cognito, Duende,
 * Entra ID, Keycloak, Okta, Ory and Spring. The longest end counts.
 */
const habits: Readonly<Record<string, readonly string[]>> = {
  token: ['token', 'tokens', 'token.oauth2'],
  authorize: ['authorize', 'authorization', 'auth', 'authorization.oauth2'],
  userinfo: ['userinfo', 'userinfo.openid', 'me', 'user'],
  jwks: ['jwks', 'jwks.json', 'jwks_uri', 'certs', 'keys', 'openid-connect/keys'],
  introspect: ['introspect', 'introspection', 'token/introspect', 'tokeninfo', 'introspect.oauth2'],
  revoke: ['revoke', 'revocation', 'token/revoke', 'revoke_token.oauth2'],
  end_session: ['logout', 'v2/logout', 'endsession', 'end_session', 'end-session', 'session/end', 'signout', 'logoff'],
  registration: ['register', 'registration', 'reg', 'clients-registrations/openid-connect', 'v1/clients'],
  par: ['par', 'ext/par/request'],
  device_authorization: ['device_authorization', 'deviceauthorization', 'devicecode', 'device/code', 'auth/device'],
  backchannel_authentication: ['bc-authorize', 'ciba', 'backchannel', 'ext/ciba/auth'],
  discovery: ['openid-configuration', 'oauth-authorization-server'],
};

const byEnd: ReadonlyMap<string, string> = new Map(
  Object.entries(habits).flatMap(([name, ends]) => ends.map(end => [end, name] as const)),
);

/** The endpoint that is meant by a request to a path of another server. */
export interface Meant {
  /** `token endpoint` */
  readonly words: string;
  /** Its URL, by the issuer. */
  readonly address: string;
  /** Origins that may read its answers. */
  readonly cors: EndpointRoute['cors'];
}

/**
 * Finds the endpoint by its path on other servers. Undefined for a path that no known server uses, and for an endpoint
 * that is switched off.
 */
export function meantEndpoint(path: string, issuer: string, routes: Iterable<EndpointRoute>): Meant | undefined {
  const segments = path
    .toLowerCase()
    .split('/')
    .filter(segment => segment !== '');
  const ends = [3, 2, 1].map(count => segments.slice(-count).join('/'));
  const end = ends.find(each => byEnd.has(each)) ?? '';
  const name = byEnd.get(end);
  // of the two metadata documents, the one with this name
  const route = [...routes].find(each => each.name === name && (name !== 'discovery' || each.path.includes(end)));
  if (route === undefined) return undefined;
  const words = ownWords[route.name] ?? route.about;
  return { words, address: new URL(issuer).origin + route.path, cors: route.cors };
}

const ownWords: Readonly<Record<string, string>> = { jwks: 'JWK Set', end_session: 'logout endpoint' };

/** Text to append to a description; empty if no endpoint matches. */
export function pointerTo(meant: Meant | undefined): string {
  return meant === undefined ? '' : `; this sandbox has its ${meant.words} at ${meant.address}`;
}
