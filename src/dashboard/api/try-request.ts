import type { SelfRequest } from '../../sandbox/self-request.ts';
import { toolHeader } from '../requests/request-facts.ts';
import type { ApiEndpoint } from './api-endpoints.ts';

/** The fields of the form on the page Sample API. */
export interface Tried {
  /** Of the endpoint. */
  readonly endpoint: string;
  /** `tok_…`; empty for none. */
  readonly tokenId: string;
  readonly id: string;
  readonly body: string;
}

interface CallParts {
  readonly id: string;
  readonly body: string;
  /** The raw token; empty to send none. */
  readonly token: string;
}

/** A call of an endpoint. */
export function callWith({ method, path, takesId, body: example }: ApiEndpoint, parts: CallParts): SelfRequest {
  const headers = parts.token === '' ? {} : { Authorization: `Bearer ${parts.token}` };
  const request = { method, path: takesId ? path.replace('{id}', encodeURIComponent(parts.id)) : path };
  if (example === '') return { ...request, headers };
  return { ...request, headers: { ...headers, 'Content-Type': 'application/json' }, body: parts.body };
}

/** The same, marked as sent by hand. */
export function tryRequest(endpoint: ApiEndpoint, parts: CallParts): SelfRequest {
  const { headers, ...request } = callWith(endpoint, parts);
  const { body } = request;
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  return { ...request, headers: { ...headers, ...length, [toolHeader]: 'dashboard' } };
}
