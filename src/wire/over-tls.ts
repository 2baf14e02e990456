/** Of its own, because a health check over plain HTTP does without the TLS of Node. */
export { request } from 'node:https';
