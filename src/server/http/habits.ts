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
};

/** Metadata documents by their well-known name, which is within the path of RFC 8414 and RFC 9728. */
const documents: Readonly<Record<string, string>> = {
  'openid-configuration': 'discovery',
  'oauth-authorization-server': 'discovery',
  'oauth-protected-resource': 'resource_metadata',
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
  const all = [...routes];
  const route = meantDocument(path, all) ?? meantByEnd(path, all);
  if (route === undefined) return undefined;
  const words = ownWords[route.name] ?? route.about;
  return { words, address: new URL(issuer).origin + route.path, cors: route.cors };
}

/**
 * RFC 8414 §3.1 and RFC 9728 §3.1 put the well-known name before the path of the issuer. OIDC Discovery §4 puts it behind; a
 * client that puts that name before the path reads it as RFC 8414 §5 says.
 */
function meantDocument(path: string, routes: readonly EndpointRoute[]): EndpointRoute | undefined {
  const [, before = '', name = ''] = /^(.*)\/\.well-known\/([a-z-]+)(?:\/|$)/i.exec(path) ?? [];
  const found = routes.filter(each => each.name === documents[name] && each.path.includes(`/.well-known/${name}`));
  const isBehind = name === 'openid-configuration' && before !== '';
  return found.find(each => (isBehind ? each.path.endsWith(name) : each.path.startsWith('/.well-known/')));
}

function meantByEnd(path: string, routes: readonly EndpointRoute[]): EndpointRoute | undefined {
  const segments = path
    .toLowerCase()
    .split('/')
    .filter(segment => segment !== '');
  const ends = [3, 2, 1].map(count => segments.slice(-count).join('/'));
  const end = ends.find(each => byEnd.has(each)) ?? '';
  const name = byEnd.get(end);
  return routes.find(each => each.name === name);
}

const ownWords: Readonly<Record<string, string>> = {
  jwks: 'JWK Set',
  end_session: 'logout endpoint',
  resource_metadata: 'metadata of an API',
};

/** Text to append to a description; empty if no endpoint matches. */
export function pointerTo(meant: Meant | undefined): string {
  return meant === undefined ? '' : `; this sandbox has its ${meant.words} at ${meant.address}`;
}
