import type { IncomingMessage } from 'node:http';
import type { Fate, FaultAnswer } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { EndpointRequest, Reply } from '../oauth/endpoints/endpoint.ts';
import { askedFaults, goneOf } from './faulty-api.ts';
import { contextOf } from './request-context.ts';

interface Asked {
  readonly server: AuthorizationServer;
  readonly faults?: ((asked: string | undefined) => Promise<Faults> | undefined) | undefined;
}

/** Asks an endpoint, unless something is to go wrong with this request. */
export async function askEndpoint(
  { server, faults }: Asked,
  endpoint: (server: AuthorizationServer, request: EndpointRequest) => Promise<Reply>,
  req: IncomingMessage,
  request: EndpointRequest,
): Promise<Reply | FaultAnswer> {
  const asked = askedFaults(req.headers);
  const meeting = faults?.(asked);
  if (meeting === undefined) return endpoint(server, request);
  const context = contextOf(req);
  const cut = (fate: Fate) => {
    context.fate = fate;
  };
  const faulted = { endpoint: context.endpoint, asked, emit: context.emit, cut, gone: () => goneOf(req) };
  return (await meeting).around(server, request, faulted, endpoint);
}
