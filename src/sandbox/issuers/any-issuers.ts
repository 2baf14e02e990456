import type { RequestListener } from 'node:http';
import { defaultPaths } from '../../protocol/authorization-server.ts';
import { shortPaths } from '../../server/http/routes.ts';
import { reservedSegments } from '../config/issuers.ts';
import { createIssuer } from '../create-issuer.ts';
import type { Issuer } from '../extension.ts';
import type { ShortLivedParts } from './short-lived.ts';

interface AnyIssuer {
  readonly issuer: Issuer;
  /** Seconds of real time. */
  usedAt: number;
}

/** Most of them at a time; then the one that was unused for the longest time ends. */
const most = 100;
/** Seconds without a request after which one ends. */
const longestIdle = 3600;
/** Limits of the history of one: events of each type, and bytes. */
const history = { historySize: 200, historyBytes: 1_000_000 };

/** The relaxation `ISSUERS=any`: any path is an issuer with the configuration and the keys of the first one, from the first request for its metadata or an endpoint. */
export function createAnyIssuers(parts: ShortLivedParts, route: RequestListener) {
  const { shared, paths } = parts;
  const reserved = reservedSegments(shared.modules.extensions);
  const making = new Map<string, Promise<void>>();
  const shelf = createAnyShelf(parts);
  const timer = setInterval(() => shelf.endIdle(shared.now() - longestIdle), 60_000).unref();

  function makeOnce(path: string): Promise<void> {
    const begun = making.get(path) ?? shelf.make(path).finally(() => making.delete(path));
    making.set(path, begun);
    return begun;
  }
  return {
    listener: ((req, res) => {
      const path = issuerPathIn(req.url ?? '', reserved);
      if (path === undefined || paths.has(path)) return route(req, res);
      makeOnce(path)
        .catch(error => shared.log.error(error, 'sandbox'))
        .finally(() => route(req, res));
    }) satisfies RequestListener,
    close() {
      clearInterval(timer);
      shelf.endIdle(Number.POSITIVE_INFINITY);
    },
  };
}

/** The living ones. */
function createAnyShelf({ derive, first, shared, paths }: ShortLivedParts) {
  const living = new Map<string, AnyIssuer>();

  function end(path: string, { issuer }: AnyIssuer): void {
    living.delete(path);
    paths.delete(path);
    issuer.close('this process'); // another replica may still be asked for it
    void issuer.extensions.end();
    first.events.append({ type: 'issuer.ended', issuer: issuer.server.issuer, by: 'lifetime' }, 'sandbox');
    shared.whole.ended(issuer, path.slice(1));
  }
  function makeRoom(): void {
    const [oldest] = [...living].sort(([, one], [, other]) => one.usedAt - other.usedAt);
    if (living.size >= most && oldest !== undefined) end(...oldest);
  }
  return {
    async make(path: string): Promise<void> {
      const { keys } = first.server;
      const givenKeys = new Map(keys.algs.map(alg => [alg, keys.forAlg(alg)] as const));
      const config = { ...(await derive('ISSUERS=any', {})), ...history };
      makeRoom();
      const issuer = createIssuer(config, new URL(first.server.issuer).origin + path, shared, { givenKeys });
      const made = { issuer, usedAt: shared.now() };
      living.set(path, made);
      paths.set(path, (req, res) => {
        made.usedAt = shared.now();
        return issuer.listener(req, res);
      });
      first.events.append({ type: 'issuer.created', issuer: issuer.server.issuer, by: 'request' }, 'sandbox');
    },
    /** Ends those without a request since then, in Unix seconds. */
    endIdle(since: number): void {
      for (const [path, each] of [...living]) if (each.usedAt < since) end(path, each);
    },
  };
}

const documents = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];
/** The first that fits counts: a short path is the end of a longer one. */
const endings = [...documents, ...Object.values(defaultPaths), ...Object.values(shortPaths)];
const pathForm = /^(\/[A-Za-z0-9._~-]{1,64}){1,4}$/;

/** The path of the issuer whose metadata (RFC 8414 §3.1 and OIDC Discovery §4) or endpoint a request names. */
export function issuerPathIn(url: string, reserved: ReadonlySet<string>): string | undefined {
  const asked = url.split('?', 1)[0] ?? '';
  const document = documents.find(each => asked.startsWith(`${each}/`));
  const ending = endings.find(each => asked.endsWith(each));
  const path = document === undefined ? asked.slice(0, -(ending?.length ?? 0)) : asked.slice(document.length);
  if ((document ?? ending) === undefined || !pathForm.test(path)) return undefined;
  const isOurs = (segment: string) => reserved.has(segment) || /^\.+$/.test(segment);
  return path.slice(1).split('/').some(isOurs) ? undefined : path;
}
