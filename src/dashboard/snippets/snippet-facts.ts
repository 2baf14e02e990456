import { parseScope } from '../../protocol/scope.ts';
import type { ProviderFacts } from '../facts.ts';

const innerPort = 9000;

/** Values for templates that follow from the facts. */
export function wordsOf(facts: SnippetFacts, client: SnippetClient | undefined) {
  const { issuer, api, spa } = facts;
  const pipelineIssuer = onThisMachine(issuer);
  const serviceIssuer = `http://idp:${innerPort}${pathOf(issuer)}`;
  return {
    tokenType: facts.provider?.accessTokenType ?? 'at+jwt',
    isPlainHttp: issuer.startsWith('http:'),
    own: ownCall(facts, client),
    mcpScope: api?.scope ?? parseScope(spa?.scope ?? '')[0] ?? 'openid',
    inside: inside(facts),
    published: published(issuer),
    pipeline: {
      issuer: pipelineIssuer,
      iss: identifierAt(pipelineIssuer, facts),
      published: published(pipelineIssuer),
      serviceIssuer,
      serviceIss: identifierAt(serviceIssuer, facts),
    },
  };
}

/** The audience of an authorization server of Okta, unless the client has another. */
const authJsPath = /^\/api\/auth\/callback\/([\w-]+)$/;

/** A client with the values derived from its redirect URI. A custom scheme gives none. */
export function clientWords(client: SnippetClient) {
  const { redirectUri, anyLoopback, scope } = client;
  const isWeb = /^https?:/i.test(redirectUri) && URL.canParse(redirectUri);
  const { origin, pathname, port, protocol } = new URL(isWeb ? redirectUri : 'http://localhost:3000/callback');
  const id = authJsPath.exec(pathname)?.[1] ?? 'grantbox';
  return {
    ...client,
    isOpenId: parseScope(scope).includes('openid'),
    app: { origin, path: pathname, port: portOf(port, protocol) },
    authJs: {
      id,
      callback: `${origin}/api/auth/callback/${id}`,
      isAccepted: anyLoopback || authJsPath.test(pathname),
    },
  };
}

function portOf(port: string, protocol: string): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

function ownCall({ api }: SnippetFacts, client: SnippetClient | undefined) {
  const name = api?.url.split('/').at(-1) ?? 'hello';
  return {
    path: /^[\w.~-]+$/.test(name) ? `/${name}` : '/hello',
    scope: api?.scope ?? client?.scope.split(' ')[0] ?? '',
  };
}

/** The addresses between containers. The sandbox has the host name of the back-channel URL, if one is configured. */
function inside({ issuer, at, backchannelUrl }: SnippetFacts) {
  const { hostname } = new URL(backchannelUrl ?? 'http://idp');
  const service = /^[a-z][a-z0-9-]*$/.test(hostname) && hostname !== 'localhost' ? hostname : 'idp';
  const origin = `http://${service}:${innerPort}`;
  const moved = (url: string) => origin + url.slice(new URL(issuer).origin.length);
  return { service, origin, jwks: moved(at.jwks), discovery: moved(at.discovery) };
}

/** The port is published to this machine only, unless the issuer has a host name that others use. */
function published(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  const isLocal = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  return `${isLocal ? '127.0.0.1:' : ''}${portOf(port, protocol)}:${innerPort}`;
}

/** The identifier of the issuer when it has another address. An identifier on a host of the provider stays as it is. */
function identifierAt(address: string, { issuer, iss }: SnippetFacts): string {
  const { origin } = new URL(issuer);
  return new URL(iss).origin === origin ? new URL(address).origin + iss.slice(origin.length) : iss;
}

/** A pipeline has no proxy: plain HTTP on the machine of the job. */
function onThisMachine(issuer: string): string {
  const { hostname, port, protocol } = new URL(issuer);
  const name = hostname === 'localhost' || hostname.endsWith('.localhost') ? hostname : 'localhost';
  return `http://${name}:${portOf(port, protocol)}${pathOf(issuer)}`;
}

/** The path of the metadata. An identifier on another host has its documents below the path of the issuer. */
export function discoveryPath(issuer: string, iss: string): string {
  const path = pathOf(iss);
  const base = new URL(iss).origin === new URL(issuer).origin ? path : pathOf(issuer) + path;
  return `${base}/.well-known/openid-configuration`;
}

function pathOf(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, '');
}

/** A client as a snippet needs it. */
export interface SnippetClient {
  readonly client_id: string;
  readonly client_name?: string;
  /** Absent for a public client. */
  readonly client_secret?: string;
  /** Its authentication method, if most libraries support it. */
  readonly method: 'none' | 'client_secret_basic' | 'client_secret_post';
  /** The redirect URI: a registered one, or any on this machine if that is allowed. */
  readonly redirectUri: string;
  /** True if any address of this machine is accepted. */
  readonly anyLoopback: boolean;
  readonly postLogoutUri?: string;
  readonly scope: string;
  /** `aud` of its access tokens; absent if it depends on the user. */
  readonly audience?: string;
  readonly isOpaque: boolean;
}

/** The user who comes first on the sign-in page. */
export interface UserFacts {
  readonly sub: string;
  readonly username: string;
  /** A placeholder if any password is accepted. */
  readonly password: string;
  readonly name: string;
}

/** A call of the sample backend that a client's scope is enough for. */
export interface ApiFacts {
  readonly url: string;
  readonly scope: string;
  readonly method: 'GET' | 'POST';
  /** An example body, as JSON; empty for GET. */
  readonly body: string;
}

/** Addresses of this server. */
export interface ServerAddresses {
  readonly token: string;
  readonly jwks: string;
  readonly authorize: string;
  readonly discovery: string;
}

/** The configuration, as far as snippets are made of it. */
export interface SnippetFacts {
  /** The address of the issuer. */
  readonly issuer: string;
  /** The issuer identifier, which `iss` of tokens is compared with. */
  readonly iss: string;
  /** The variable from which a front end reads the issuer; absent if the issuer is written out. */
  readonly fromEnvironment?: true;
  /** The address that all clients use. */
  readonly at: ServerAddresses;
  /** The address for a back end in a different container; the same as above unless it is configured. */
  readonly behind: ServerAddresses;
  readonly backchannelUrl?: string;
  readonly provider?: ProviderFacts;
  /** True if the certificate is issued by a CA of this sandbox. */
  readonly hasOwnCa: boolean;
  readonly configFile?: string;
  readonly loginMode: 'picker' | 'password';
  /** Anybody may register clients. */
  readonly canRegister: boolean;
  /** A public client that signs users in. */
  readonly spa?: SnippetClient;
  /** A confidential client that signs users in; the public one if there is none. */
  readonly web?: SnippetClient;
  /** A client that signs users in and authenticates by a key alone. */
  readonly keyed?: SnippetClient;
  /** A client that acts for itself. */
  readonly machine?: SnippetClient;
  /** The API calls that the public client and the machine client may make. */
  readonly api?: ApiFacts;
  readonly machineApi?: ApiFacts;
  readonly user?: UserFacts;
}
