import type { EndpointRequest, Reply } from '../protocol/endpoints/endpoint.ts';
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

/** An endpoint that accepts an access token in the query, too, as older SDKs send it. The sandbox otherwise refuses that (OAuth 2.1 §5.1.1). */
export function withQueryToken(endpoint: EndpointFunction): EndpointFunction {
  return (server, request) => {
    const token = request.parameters.values.get('access_token');
    const isInQuery = request.method === 'GET' && request.authorization === undefined && token !== undefined;
    return endpoint(server, isInQuery ? { ...request, authorization: `Bearer ${token}` } : request);
  };
}

/** A token response without the refresh token that the client sent, for providers that do not repeat it. */
export function withoutKeptRefreshToken(reply: Reply, { parameters }: EndpointRequest): Reply {
  if (reply.kind !== 'json' || !('refresh_token' in reply.body)) return reply;
  const { refresh_token, ...body } = reply.body;
  return refresh_token === parameters.values.get('refresh_token') ? { ...reply, body } : reply;
}
