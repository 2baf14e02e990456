import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { get } from 'node:https';

/** GET over TLS of a sandbox's health. Whose certificate it has does not matter: nothing is told and nothing is believed. */
export function getOverTls(
  url: string,
  options: RequestOptions,
  onResponse: (response: IncomingMessage) => void,
): ClientRequest {
  return get(url, { ...options, rejectUnauthorized: false, servername: 'localhost' }, onResponse);
}
