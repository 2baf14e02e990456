import type { IncomingMessage } from 'node:http';
import { type AuthorizationServer, addressesOf } from '../../protocol/authorization-server.ts';
import { createHostCheck } from '../../server/http/hosts.ts';
import type { Front, Issuer } from '../extension.ts';
import { createFront } from './front.ts';
import { protectedResources } from './sample-backend/protected-resources.ts';

/** Most hosts with an issuer of their name. One more takes the place of the host that was unused for the longest time. */
const most = 20;

/** The front of an issuer, or one for each host with `ISSUER_FROM_HOST`. */
export function frontOf(issuer: Issuer): Front {
  const usual = createFront(issuer);
  return issuer.config.issuerFromHost === 'off' ? usual : createHostFronts(issuer, usual);
}

/** A front for each host by which the server is called: the same server under another name. */
function createHostFronts(issuer: Issuer, usual: Front): Front {
  const { config, server } = issuer;
  const addresses = addressesOf(server, '');
  const isUsual = new Set(addresses.map(address => new URL(address).origin));
  const isAllowedHost = createHostCheck(addresses, config.allowedHosts);
  const fronts = new Map<string, Front>();

  function frontOf(req: IncomingMessage): Front {
    const origin = originOf(req, config.issuerFromHost === 'forwarded', isAllowedHost);
    if (origin === undefined || isUsual.has(origin)) return usual;
    const front = fronts.get(origin) ?? createFront(renamed(issuer, origin));
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
function renamed(issuer: Issuer, origin: string): Issuer {
  const { config, server } = issuer;
  const address = origin + new URL(server.issuer).pathname.replace(/\/$/, '');
  const identifier = server.iss.endsWith('/') ? `${address}/` : address;
  const hosts = addressesOf(server, '').map(each => new URL(each).hostname.replace(/^\[|\]$/g, ''));
  const otherConfig = withOther(config, { allowedHosts: () => [...config.allowedHosts, ...hosts] });
  const otherServer = withOther<AuthorizationServer>(server, {
    issuer: () => address,
    iss: () => server.dialect?.identifier(address) ?? identifier,
    backchannelUrl: () => undefined,
    protectedResources: resourcesAt(issuer, address),
  });
  const explanationOf = (id: string) => issuer.explanationOf(id)?.replace(server.issuer, () => address);
  return withOther(issuer, {
    config: () => otherConfig,
    server: () => otherServer,
    explanationOf: () => explanationOf,
  });
}

/** The resources of the server below another issuer: the same list until they change. */
function resourcesAt({ config, server, collections }: Issuer, issuer: string) {
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
