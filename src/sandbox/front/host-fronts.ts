import type { IncomingMessage } from 'node:http';
import { type AuthorizationServer, addressesOf } from '../../protocol/authorization-server.ts';
import { createHostCheck } from '../../server/http/hosts.ts';
import type { Core } from '../extension.ts';
import { createFront, type Front } from './front.ts';
import { protectedResources } from './sample-backend/protected-resources.ts';

/** Most hosts with an issuer of their name. One more takes the place of the host that was unused for the longest time. */
const most = 20;

/** A front for each host by which the server is called: the same server under another name. */
export function createHostFronts(core: Core, usual: Front): Front {
  const { config, server } = core;
  const addresses = addressesOf(server, '');
  const isUsual = new Set(addresses.map(address => new URL(address).origin));
  const isAllowedHost = createHostCheck(addresses, config.allowedHosts);
  const fronts = new Map<string, Front>();

  function frontOf(req: IncomingMessage): Front {
    const origin = originOf(req, config.issuerFromHost === 'forwarded', isAllowedHost);
    if (origin === undefined || isUsual.has(origin)) return usual;
    const front = fronts.get(origin) ?? createFront(renamed(core, origin));
    // the last one is the one that was used last
    fronts.delete(origin);
    fronts.set(origin, front);
    const [unused] = fronts.size > most ? fronts.keys() : [];
    if (unused !== undefined) {
      fronts.get(unused)?.closeStreams();
      fronts.delete(unused);
    }
    return front;
  }
  const each = (work: (front: Front) => void) => () => [usual, ...fronts.values()].forEach(work);
  return {
    listener: (req, res) => frontOf(req).listener(req, res),
    unread: usual.unread,
    async resetResources() {
      for (const front of [usual, ...fronts.values()]) await front.resetResources();
    },
    reconfigure: each(front => front.reconfigure()),
    closeStreams: each(front => front.closeStreams()),
  };
}

/** The same issuer at another origin. A proxy may send the host of the usual one, so that stays allowed. */
function renamed(core: Core, origin: string): Core {
  const { config, server, explanationOf } = core;
  const issuer = origin + new URL(server.issuer).pathname.replace(/\/$/, '');
  const identifier = server.iss.endsWith('/') ? `${issuer}/` : issuer;
  const hosts = addressesOf(server, '').map(address => new URL(address).hostname.replace(/^\[|\]$/g, ''));
  return {
    ...core,
    config: withOther(config, { allowedHosts: () => [...config.allowedHosts, ...hosts] }),
    server: withOther<AuthorizationServer>(server, {
      issuer: () => issuer,
      iss: () => server.dialect?.identifier(issuer) ?? identifier,
      backchannelUrl: () => undefined,
      protectedResources: resourcesAt(core, issuer),
    }),
    explanationOf: id => explanationOf(id)?.replace(server.issuer, () => issuer),
  };
}

/** The resources of the server below another issuer: the same list until they change. */
function resourcesAt({ config, server, collections }: Core, issuer: string) {
  let [usual, renamed] = [server.protectedResources, [] as AuthorizationServer['protectedResources']];
  return () => {
    if (renamed.length === 0 || usual !== server.protectedResources) {
      usual = server.protectedResources;
      renamed = protectedResources({ ...config, collections: collections.all }, issuer, server.paths.userinfo);
    }
    return renamed;
  };
}

/** The same object with other values of some members. It is no copy, so that what changes at run time changes for each name. */
function withOther<T extends object>(shared: T, others: { readonly [Name in keyof T]?: () => T[Name] }): T {
  const byName = new Map<PropertyKey, () => unknown>(Object.entries(others as Record<string, () => unknown>));
  return new Proxy(shared, {
    get: (target, name) => (byName.get(name) ?? (() => Reflect.get(target, name)))(),
  });
}

/** The origin by which a caller knows the server; undefined for a host that is not allowed. */
function originOf(
  { headers, socket }: IncomingMessage,
  isForwarded: boolean,
  isAllowedHost: (host: string | undefined) => boolean,
): string | undefined {
  const forwarded = (name: string) => (isForwarded ? first(headers[name]) : undefined);
  const host = forwarded('x-forwarded-host') ?? headers.host;
  const scheme = forwarded('x-forwarded-proto') ?? ('encrypted' in socket ? 'https' : 'http');
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host) || !/^https?$/.test(scheme)) return undefined;
  const address = `${scheme}://${host}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  // checked as it will be written, because a URL has other forms of a host than a header
  return isAllowedHost(url.host) ? url.origin : undefined;
}

/** The value of the proxy that is nearest to the caller. */
function first(value: string | readonly string[] | undefined): string | undefined {
  return (
    String(value ?? '')
      .split(',', 1)[0]
      ?.trim() || undefined
  );
}
