import type { Adapter } from './adapter.ts';
import type { FastLane } from './cors-lane.ts';
import { ownPage } from './own-page.ts';
import { foreignPostAsGet, postAsGet } from './post-as-get.ts';
import type { Handler } from './request-context.ts';
import type { EndpointRoute } from './route.ts';

/** The handler of each endpoint route, made once: the fast lane and the app share it. */
export function createRouteHandlers(
  routes: readonly EndpointRoute[],
  adapter: Adapter,
  metadataMaxAge: number,
): ReadonlyMap<EndpointRoute, Handler> {
  const cacheControl = metadataMaxAge === 0 ? 'no-store' : `public, max-age=${metadataMaxAge}`;
  return new Map(routes.map(route => [route, handlerOf(route)]));

  function handlerOf(route: EndpointRoute): Handler {
    if (route.constant) return adapter.serveOnce(route.endpoint, route.form, cacheControl);
    if (route.name === 'authorize') return postAsGet(adapter, route);
    if (route.name === 'end_session') return foreignPostAsGet(adapter, route);
    if (route.ownOrigin) return ownPage(adapter, route);
    return adapter.serve(route.endpoint, route.form, route.body);
  }
}

/**
 * The routes that need nothing of Express: keys, metadata and, without a rate limit, tokens.
 * They answer before Express is even loaded.
 */
export function fastLane(
  handlers: ReadonlyMap<EndpointRoute, Handler>,
  rateLimit: number,
): ReadonlyMap<string, FastLane> {
  const quick = [...handlers].filter(([route]) => route.constant || (route.name === 'token' && rateLimit === 0));
  return new Map(
    quick.flatMap(([{ name, path, methods, cors, credentials }, handle]) =>
      methods.map(method => [`${method} ${path}`, { endpoint: name, handle, cors, credentials }] as const),
    ),
  );
}
