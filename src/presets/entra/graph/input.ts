import type { AuthorizationServer } from '../../../oauth/authorization-server.ts';
import type { EndpointRequest } from '../../../oauth/endpoints/endpoint.ts';
import type { GraphCaller } from './access.ts';

/** A call of Graph that was sent, by a caller who may send it. */
export interface GraphInput {
  readonly server: AuthorizationServer;
  readonly caller: GraphCaller;
  readonly names: Readonly<Record<string, string>>;
  readonly request: EndpointRequest;
  /** The address that was called, without its query. */
  readonly at: string;
}
