import { recordIn } from '../../../base/text/record.ts';
import { cut } from '../../../base/text/words.ts';
import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';

/** The library that an app signs in with. */
export interface ExamLibrary {
  /** `openid-client` */
  readonly name: string;
  /** The fact that told it, as a sentence. */
  readonly told: string;
}

interface Sign {
  readonly name: string;
  /** The sentence of `told`; undefined for another library. */
  read(seen: Traces): string | undefined;
}

/** The parts of requests that differ from library to library. */
interface Traces {
  /** `User-Agent` of requests that no browser sends. */
  readonly agents: readonly string[];
  /** The first authorization request. */
  readonly login: RecordedRequest | undefined;
  /** The names of its parameters, in order. */
  readonly order: readonly string[];
  header(name: string): string | undefined;
  /** The first value of a parameter in any request. */
  value(name: string): string | undefined;
}

/** Finds the library by what it sends; undefined where nothing is decisive. The first that fits counts. */
export function recognisedLibrary(requests: readonly RecordedRequest[]): ExamLibrary | undefined {
  const seen = tracesOf(requests);
  for (const { name, read } of signs) {
    const told = read(seen);
    if (told !== undefined) return { name, told };
  }
  return undefined;
}

function tracesOf(requests: readonly RecordedRequest[]): Traces {
  const login = requests.find(({ event }) => event.endpoint === 'authorize');
  const agents = requests.flatMap(request => request.header('user-agent') ?? []);
  const first = (read: (request: RecordedRequest) => string | undefined) =>
    requests.map(read).find(value => value !== undefined);
  return {
    agents: agents.filter(agent => !/^mozilla\//i.test(agent)),
    login,
    order: login === undefined ? [] : [...login.query.keys()],
    header: name => first(request => request.header(name)),
    value: name => first(request => request.value(name)),
  };
}

function byAgent(pattern: RegExp): Sign['read'] {
  return ({ agents }) => {
    const agent = agents.find(each => pattern.test(each));
    return agent === undefined ? undefined : `Its requests have the User-Agent ${cut(agent, 60)}.`;
  };
}

function bySku(pattern: RegExp): Sign['read'] {
  return ({ value }) => {
    const sku = value('x-client-SKU');
    return sku !== undefined && pattern.test(sku)
      ? `Its requests have the parameter x-client-SKU=${cut(sku, 40)}.`
      : undefined;
  };
}

function byCallback(part: string, also: RegExp = /^/): Sign['read'] {
  return ({ value, agents }) =>
    value('redirect_uri')?.includes(part) && agents.some(agent => also.test(agent))
      ? `Its redirect_uri has ${part}.`
      : undefined;
}

/** The authorization request begins with these parameters, and `state` has this form. */
function byOrder(names: readonly string[], state: RegExp): Sign['read'] {
  return ({ order, login }) => {
    const known = order.filter(name => names.includes(name));
    const isIt = known.join() === names.join() && state.test(login?.query.get('state') ?? '');
    return isIt ? 'Its authorization request has these parameters in this order, and a state of this form.' : undefined;
  };
}

/** The name in the header or the parameter in which Auth0's libraries say it. */
function auth0Client({ header, value }: Traces): string | undefined {
  const encoded = value('auth0Client') ?? header('auth0-client');
  const name = encoded === undefined ? undefined : recordIn(Buffer.from(encoded, 'base64').toString())?.name;
  return name === 'auth0-spa-js' ? 'Its requests have the name in auth0Client.' : undefined;
}

function oktaAgent({ header }: Traces): string | undefined {
  const agent = header('x-okta-user-agent-extended');
  return agent?.startsWith('okta-auth-js/')
    ? `Its requests have X-Okta-User-Agent-Extended: ${cut(agent, 40)}.`
    : undefined;
}

/** node-oauth is below the strategies of Passport. Only that of OpenID Connect begins with `response_type` and `client_id`. */
function passport(isOpenid: boolean): Sign['read'] {
  return seen => {
    const begins = seen.order.slice(0, 2).join() === 'response_type,client_id';
    return begins === isOpenid ? byAgent(/^Node-oauth$/)(seen) : undefined;
  };
}

/** Both SDKs of MCP for JavaScript: `@modelcontextprotocol/sdk`, and `@modelcontextprotocol/client`. */
function mcpSdk({ header, order }: Traces): string | undefined {
  const first = ['response_type', 'client_id', 'code_challenge', 'code_challenge_method', 'redirect_uri'];
  const isIt = order.slice(0, first.length).join() === first.join() && header('mcp-protocol-version') !== undefined;
  return isIt ? 'Its requests have MCP-Protocol-Version, and their parameters in the order of the SDK.' : undefined;
}

const signs: readonly Sign[] = [
  { name: 'MCP SDK', read: mcpSdk },
  { name: 'Auth.js', read: byCallback('/auth/callback/', /^(oauth4webapi|openid-client)\//) },
  { name: 'openid-client', read: byAgent(/^openid-client\/v?(?:[6-9]|\d\d)/) },
  { name: 'openid-client 5', read: byAgent(/^openid-client\//) },
  { name: 'oauth4webapi', read: byAgent(/^oauth4webapi\//) },
  { name: 'MSAL Node', read: bySku(/^msal\.js\.node$/i) },
  { name: 'MSAL Browser', read: bySku(/^(msal\.js\.browser|@azure\/msal-(react|angular))$/i) },
  { name: 'ASP.NET Core', read: bySku(/^ID_NET/) },
  { name: 'Spring Security', read: byCallback('/login/oauth2/code/') },
  { name: 'Authlib', read: byAgent(/^Authlib\//) },
  { name: 'auth0-spa-js', read: auth0Client },
  { name: 'okta-auth-js', read: oktaAgent },
  { name: 'passport-openidconnect', read: passport(true) },
  { name: 'passport-oauth2', read: passport(false) },
  {
    name: 'keycloak-js',
    read: byOrder(
      ['client_id', 'redirect_uri', 'state', 'response_mode', 'response_type', 'scope'],
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    ),
  },
  {
    name: 'oidc-client-ts',
    read: byOrder(['client_id', 'redirect_uri', 'response_type', 'scope', 'state'], /^[0-9a-f]{32}(;|$)/),
  },
];

/** The names of all libraries that can be recognised. */
export const libraryNames: readonly string[] = signs.map(({ name }) => name);

/** The headers of a request for the keys, with names in small letters. */
export type KeyRequest = Readonly<Record<string, string>>;

const fetchers: readonly { readonly name: string; read(headers: KeyRequest): string | undefined }[] = [
  {
    name: 'jose',
    read: ({ 'user-agent': agent = '' }) => (/^jose\/v\d/.test(agent) ? `the User-Agent ${cut(agent, 60)}` : undefined),
  },
  {
    name: 'ASP.NET Core',
    read: ({ 'x-client-sku': sku = '' }) => (/^ID_NET/.test(sku) ? `x-client-SKU: ${cut(sku, 40)}` : undefined),
  },
  {
    name: 'Spring Security',
    read: ({ accept = '', 'user-agent': agent = '' }) =>
      /^Java(-http-client)?\//.test(agent) && /^application\/json, ?application\/jwk-set\+json$/.test(accept)
        ? `the User-Agent ${cut(agent, 40)} and Accept: ${accept}`
        : undefined,
  },
];

/** Finds the library of an API by the requests for the keys; undefined unless all of them are of the same one. */
export function recognisedFetcher(requests: readonly KeyRequest[]): ExamLibrary | undefined {
  const told = requests.map(headers => {
    for (const { name, read } of fetchers) {
      const sign = read(headers);
      if (sign !== undefined) return { name, told: `Who fetched the keys sent ${sign}.` };
    }
    return undefined;
  });
  return told.every(each => each?.name === told[0]?.name) ? told[0] : undefined;
}

/** The names of all libraries of APIs that can be recognised. */
export const fetcherNames: readonly string[] = fetchers.map(({ name }) => name);
