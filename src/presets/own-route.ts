import type { EndpointFunction } from '../http/adapter.ts';
import { type EndpointRoute, routeAt } from '../http/route.ts';

/** An endpoint that only one provider has, or has in place of a usual one. `what` is the name of the route and its methods. */
export function ownRoute(
  provider: string,
  [what, path, about]: readonly [what: string, path: string, about: string],
  endpoint: EndpointFunction,
  rules: Pick<EndpointRoute, 'form'> & Partial<EndpointRoute>,
): EndpointRoute {
  return { ...routeAt(what, path, about, provider), endpoint, ...rules };
}

/** Rules of endpoints that clients call, from a browser or a back end. */
export const forClients = { cors: 'clients', limited: true } as const;
