/** A separate file, because a health check over plain HTTP does not load the TLS of Node. */
export { request } from 'node:https';
