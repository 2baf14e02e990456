import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request } from 'node:https';

/** A request over TLS to this very sandbox: it need not prove to itself who it is. Loaded where it speaks HTTPS. */
export function requestOverTls(
  options: RequestOptions,
  onResponse: (response: IncomingMessage) => void,
): ClientRequest {
  return request({ ...options, rejectUnauthorized: false }, onResponse);
}
