import { type HarEntry, headerIn } from './entries.ts';

/** Endpoints by the member of the metadata that names them (RFC 8414 §2, OIDC Discovery §3). */
const members: Readonly<Record<string, string>> = {
  authorization_endpoint: 'authorize',
  token_endpoint: 'token',
  userinfo_endpoint: 'userinfo',
  jwks_uri: 'jwks',
  end_session_endpoint: 'end_session',
  introspection_endpoint: 'introspect',
  revocation_endpoint: 'revoke',
  device_authorization_endpoint: 'device_authorization',
  pushed_authorization_request_endpoint: 'par',
  registration_endpoint: 'registration',
};

export interface ProviderEndpoints {
  /** The issuer by its metadata; absent if the recording has none. */
  readonly issuer?: string;
  /** The name of the endpoint that a request went to; undefined for any other request. */
  of(entry: HarEntry): string | undefined;
}

/** Finds the endpoints by the metadata of the provider and by the parameters that only one endpoint has. */
export function providerEndpoints(entries: readonly HarEntry[]): ProviderEndpoints {
  const metadata = entries.filter(isDiscovery).map(({ answer }) => answer);
  const known = new Map<string, string>();
  for (const document of metadata)
    for (const [member, name] of Object.entries(members)) {
      const url = document[member];
      if (typeof url === 'string' && URL.canParse(url)) known.set(placeOf(new URL(url)), name);
    }
  const issuer = metadata.map(document => document.issuer).find(each => typeof each === 'string' && isWeb(each));
  const origins = new Set(entries.filter(isByParameters).map(({ url }) => url.origin));
  return {
    ...(typeof issuer === 'string' ? { issuer } : {}),
    of(entry) {
      if (entry.method === 'OPTIONS') return undefined;
      if (isDiscovery(entry)) return 'discovery';
      return (
        known.get(placeOf(entry.url)) ??
        byParameters(entry) ??
        (origins.has(entry.url.origin) ? byPath(entry) : undefined)
      );
    },
  };
}

function isWeb(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

const placeOf = ({ origin, pathname }: URL) => origin + pathname;

function isDiscovery({ url }: HarEntry): boolean {
  return /\/\.well-known\/(?:openid-configuration|oauth-authorization-server)/.test(url.pathname);
}

function isByParameters(entry: HarEntry): boolean {
  return byParameters(entry) !== undefined;
}

type Test = (entry: HarEntry) => boolean;

const sends =
  (...names: readonly string[]): Test =>
  ({ method, parameters }) =>
    method === 'POST' && names.every(name => parameters.has(name));
const gets =
  (name: string, type: string): Test =>
  ({ method, answer }) =>
    method === 'POST' && typeof answer[name] === type;

/** Parameters and answers that the standards define for one endpoint; the first that fits counts. */
const tests: readonly (readonly [endpoint: string, test: Test])[] = [
  ['token', sends('grant_type')],
  ['par', gets('request_uri', 'string')],
  ['device_authorization', gets('device_code', 'string')],
  ['authorize', asksForLogin],
  ['end_session', ({ parameters }) => parameters.has('post_logout_redirect_uri')],
  [
    'end_session',
    ({ parameters, url }) => parameters.has('id_token_hint') && /log_?out|end_?session/i.test(url.pathname),
  ],
  ['introspect', entry => sends('token')(entry) && gets('active', 'boolean')(entry)],
  ['jwks', ({ answer, url }) => Array.isArray(answer.keys) && /jwk|keys|certs/i.test(url.pathname)],
];

function asksForLogin({ parameters }: HarEntry): boolean {
  return parameters.has('client_id') && ['response_type', 'request_uri', 'request'].some(name => parameters.has(name));
}

function byParameters(entry: HarEntry): string | undefined {
  return tests.find(([, test]) => test(entry))?.[0];
}

/** On the origin of a provider, by names that are common. */
function byPath(entry: HarEntry): string | undefined {
  const { pathname } = entry.url;
  if (/\/user_?info$/i.test(pathname)) return 'userinfo';
  if (entry.method === 'POST' && /\/revoke$/i.test(pathname) && entry.parameters.has('token')) return 'revoke';
  return /\/me$/i.test(pathname) && headerIn(entry, 'authorization') !== undefined ? 'userinfo' : undefined;
}
