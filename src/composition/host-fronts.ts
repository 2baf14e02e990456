import type { IncomingMessage } from 'node:http';
import { createHostCheck } from '../http/hosts.ts';
import { addressesOf } from '../oauth/authorization-server.ts';
import type { Core } from './core.ts';
import { createFront, type Front } from './front.ts';
import { protectedResources } from './sample-backend/protected-resources.ts';

/** Most hosts with an issuer of their name; all others are answered by the usual one. */
const most = 20;

/** What lies between the socket and the server for each host by which it is called: the same server under another name. */
export function createHostFronts(core: Core, usual: Front): Front {
  const { config, server } = core;
  const fronts = new Map<string, Front>([[new URL(server.issuer).origin, usual]]);
  const isAllowedHost = createHostCheck(addressesOf(server, ''), config.allowedHosts);

  function frontOf(req: IncomingMessage): Front {
    const origin = originOf(req, config.issuerFromHost === 'forwarded', isAllowedHost);
    const known = origin === undefined ? usual : fronts.get(origin);
    if (known !== undefined) return known;
    if (origin === undefined || fronts.size > most) return usual;
    const made = createFront({ ...core, server: renamed(core, origin) });
    fronts.set(origin, made);
    return made;
  }
  return {
    listener: (req, res) => frontOf(req).listener(req, res),
    resetResources() {
      for (const front of fronts.values()) front.resetResources();
    },
    reconfigure() {
      usual.reconfigure();
      // the others are copies of a server that has changed
      for (const [origin, front] of fronts) if (front !== usual && fronts.delete(origin)) front.closeStreams();
    },
    closeStreams() {
      for (const front of fronts.values()) front.closeStreams();
    },
  };
}

/** The same server, with its memory, clients and keys, as the issuer at another origin. */
function renamed({ config, server }: Core, origin: string): Core['server'] {
  const issuer = origin + new URL(server.issuer).pathname.replace(/\/$/, '');
  const resources = protectedResources(config, issuer, server.paths.userinfo);
  return { ...server, issuer, iss: server.dialect?.identifier(issuer) ?? issuer, protectedResources: resources };
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
  if (!isAllowedHost(host) || !/^https?$/.test(scheme)) return undefined;
  const address = `${scheme}://${host}`;
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** The value of the proxy that is nearest to the caller. */
function first(value: string | readonly string[] | undefined): string | undefined {
  return (
    String(value ?? '')
      .split(',', 1)[0]
      ?.trim() || undefined
  );
}
