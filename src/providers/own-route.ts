import type { EndpointFunction } from '../server/http/adapter.ts';
import { type EndpointRoute, type Route, routeAt } from '../server/http/route.ts';

type RouteRules = Omit<EndpointRoute, keyof Route | 'endpoint'>;

/** Makes endpoints that only one provider has, or has in place of usual ones. `what` is the name of the route and its methods. */
export function ownRoute(provider: string) {
  return (what: string, path: string, about: string, endpoint: EndpointFunction, rules: RouteRules): EndpointRoute => ({
    ...routeAt(what, path, about, provider),
    endpoint,
    ...rules,
  });
}

/** Rules of endpoints that clients call, from a browser or a back end. */
export const forClients = { cors: 'clients', limited: true } as const;
