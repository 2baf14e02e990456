import type { EventOf } from '../../base/events/event.ts';
import { headerOf } from '../../base/events/exchange.ts';
import { groupInPieces, type Pieces } from '../../base/turns.ts';

/** The configured addresses of this server. */
export interface OwnAddresses {
  readonly issuer: string;
  /** The address for back ends, including the path of the issuer. */
  readonly backchannelUrl?: string;
}

type HostSide = 'issuer' | 'backchannel' | 'other';

interface HostCall {
  readonly endpoint: string;
  readonly method: string;
  readonly path: string;
  readonly count: number;
}

/** Requests with one host name from one kind of caller. */
export interface HostUse {
  readonly caller: Caller;
  /** `Chrome`, `Java-http-client/17.0.2`; empty without a User-Agent. */
  readonly agent: string;
  /** The most frequent calls first. */
  readonly calls: readonly HostCall[];
  readonly count: number;
  /** Unix seconds. */
  readonly lastAt: number;
  /** Id of the newest request. */
  readonly requestId: string;
}

/** A host name in recorded requests. */
export interface HostFact {
  /** The `Host` header in lower case: `idp:9000`. */
  readonly host: string;
  readonly side: HostSide;
  /** False if all its requests were refused with 421. */
  readonly isServed: boolean;
  /** The newest use first. */
  readonly uses: readonly HostUse[];
  readonly count: number;
  /** Unix seconds. */
  readonly lastAt: number;
}

/** The most names, uses of a name and calls of a use. Untrusted senders choose them, so the lists are bounded. */
const most = 12;

/** The host names in recorded requests: configured addresses first, then the newest. Each request is a piece. */
export function* hostFacts(
  requests: Iterable<EventOf<'request.completed'>>,
  own: OwnAddresses,
): Pieces<readonly HostFact[]> {
  const byHost = yield* groupInPieces(requests, request => (isOurOwn(request) ? undefined : hostOf(request, own)));
  const facts: HostFact[] = [];
  for (const [host, all] of byHost) facts.push(yield* factOf(host, all, own));
  return facts.sort((a, b) => rank(a) - rank(b) || b.lastAt - a.lastAt).slice(0, most);
}

/** Whether a request came to a host name that is not configured. */
export function isForeign(request: EventOf<'request.completed'>, own: OwnAddresses): boolean {
  const host = isOurOwn(request) ? undefined : hostOf(request, own);
  return host !== undefined && sideOf(host, own) === 'other';
}

const sides: readonly HostSide[] = ['issuer', 'backchannel', 'other'];

function rank({ side, isServed }: HostFact): number {
  return sides.indexOf(side) + (isServed ? 0 : 1);
}

function* factOf(host: string, all: readonly EventOf<'request.completed'>[], own: OwnAddresses): Pieces<HostFact> {
  const byUser = yield* groupInPieces(all, ({ exchange: { requestHeaders } }) => {
    return `${callerOf(requestHeaders)} ${agentOf(requestHeaders)}`;
  });
  const uses = [...byUser.values()].map(useOf).sort((a, b) => b.lastAt - a.lastAt);
  return {
    host,
    side: sideOf(host, own),
    isServed: all.some(({ status }) => status !== misdirected),
    uses: uses.slice(0, most),
    count: all.length,
    lastAt: uses[0]?.lastAt ?? 0,
  };
}

const misdirected = 421;

function useOf(requests: readonly EventOf<'request.completed'>[]): HostUse {
  const newest = requests.reduce((a, b) => (b.at > a.at ? b : a));
  const { requestHeaders } = newest.exchange;
  const calls = new Map<string, HostCall>();
  for (const { endpoint, method, path } of requests) {
    const key = `${method} ${path}`;
    calls.set(key, { endpoint, method, path, count: (calls.get(key)?.count ?? 0) + 1 });
  }
  return {
    caller: callerOf(requestHeaders),
    agent: agentOf(requestHeaders),
    calls: [...calls.values()].sort((a, b) => b.count - a.count).slice(0, most),
    count: requests.length,
    lastAt: newest.at,
    requestId: newest.requestId,
  };
}

/** The host name of a request; a proxy passes it on in `X-Forwarded-Host`. */
function hostOf({ exchange }: EventOf<'request.completed'>, { issuer }: OwnAddresses): string | undefined {
  const forwarded = headerOf(exchange.requestHeaders, 'x-forwarded-host')?.split(',', 1)[0]?.trim();
  const host = (forwarded || headerOf(exchange.requestHeaders, 'host'))?.toLowerCase();
  return host === undefined || host === '' ? undefined : withoutDefaultPort(host, issuer);
}

/** Removes the default port of the scheme, as in a URL. */
function withoutDefaultPort(host: string, issuer: string): string {
  return host.replace(issuer.startsWith('https:') ? /:443$/ : /:80$/, '').slice(0, 200);
}

function sideOf(host: string, { issuer, backchannelUrl }: OwnAddresses): HostSide {
  if (host === new URL(issuer).host) return 'issuer';
  return backchannelUrl !== undefined && host === new URL(backchannelUrl).host ? 'backchannel' : 'other';
}

/** Requests from the dashboard itself, and for the start page, whose address a person types. */
function isOurOwn({ endpoint, exchange }: EventOf<'request.completed'>): boolean {
  return endpoint === 'home' || /^grantbox\b/i.test(headerOf(exchange.requestHeaders, 'user-agent') ?? '');
}

/** The kind of sender: a browser, a back end, or a command-line or API tool. */
type Caller = 'browser' | 'backend' | 'tool';

const tools = /^(curl|wget|httpie|postmanruntime|insomnia|bruno|xh|hurl|restsharp\/console|vscode-restclient)\b/i;

/**
 * Guesses the sender of a request by its headers. Browsers send `Sec-Fetch-Site`, but not over plain HTTP to a host other than
 * localhost; there the User-Agent decides. `Sec-Fetch-Mode` does not help, because Node's `fetch` sends it, too.
 */
export function callerOf(requestHeaders: string): Caller {
  const agent = headerOf(requestHeaders, 'user-agent') ?? '';
  if (headerOf(requestHeaders, 'sec-fetch-site') !== undefined || /^mozilla\//i.test(agent)) return 'browser';
  return tools.test(agent) ? 'tool' : 'backend';
}

const browsers = [
  ['Firefox', /firefox\/\d+/i],
  ['Edge', /edg\/\d+/i],
  ['Chrome', /chrom(?:e|ium)\/\d+/i],
  ['Safari', /version\/\d+[\d.]* .*safari/i],
] as const;

/** A short name from the User-Agent: `Chrome`, `Java-http-client/17.0.2`; empty without that header. */
export function agentOf(requestHeaders: string): string {
  const agent = headerOf(requestHeaders, 'user-agent') ?? '';
  const browser = browsers.find(([, pattern]) => pattern.test(agent));
  if (browser !== undefined) return browser[0];
  return (/^[^\s(;,]+/.exec(agent)?.[0] ?? '').slice(0, 40);
}
