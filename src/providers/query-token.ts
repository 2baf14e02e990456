import type { EndpointFunction } from '../server/http/adapter.ts';

/** An endpoint that accepts an access token in the query, too, as older SDKs send it. The sandbox otherwise refuses that (OAuth 2.1 §5.1.1). */
export function withQueryToken(endpoint: EndpointFunction): EndpointFunction {
  return (server, request) => {
    const token = request.parameters.values.get('access_token');
    const isInQuery = request.method === 'GET' && request.authorization === undefined && token !== undefined;
    return endpoint(server, isInQuery ? { ...request, authorization: `Bearer ${token}` } : request);
  };
}
