import type { EndpointRequest, Reply } from '../protocol/endpoints/endpoint.ts';

/** A token response without the refresh token that the client sent, for providers that do not repeat it. */
export function withoutKeptRefreshToken(reply: Reply, { parameters }: EndpointRequest): Reply {
  if (reply.kind !== 'json' || !('refresh_token' in reply.body)) return reply;
  const { refresh_token, ...body } = reply.body;
  return refresh_token === parameters.values.get('refresh_token') ? { ...reply, body } : reply;
}
