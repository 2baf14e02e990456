import type { IncomingMessage } from 'node:http';
import type { Express } from 'express';
import { type CorsOptions, corsBefore } from './cors.ts';
import { named, setHeaders } from './mount.ts';
import type { Handler } from './request-context.ts';
import { controlHeaders } from './security-headers.ts';

/** Calls of the management API of a provider. */
export interface ManagedCalls {
  /** The beginning of their paths, or the path itself if a header selects them. */
  readonly path: string;
  /** The request header, in lower case, that tells them from other requests with this path. */
  readonly header?: string;
  readonly handle: Handler;
}

/** Mounts the calls that paths select. */
export function mountManagement(app: Express, management: readonly ManagedCalls[]): void {
  for (const { path, header, handle } of management)
    if (header === undefined)
      app.use(path, named('management'), setHeaders(controlHeaders), (req, res) => handle(req, res));
}

/** Mounts the calls that a header selects, also for pages of clients. Other requests with the path go on to what is there. */
export function mountSelectedCalls(app: Express, management: readonly ManagedCalls[], cors: CorsOptions): void {
  for (const { path, header, handle } of management) {
    if (header === undefined) continue;
    app.all(
      [path || '/', `${path}/`],
      (req, _res, next) => next(isSelected(req, header) ? undefined : 'route'),
      named('management'),
      ...corsBefore('clients', cors),
      (req, res) => handle(req, res),
    );
  }
}

/** A preflight names the header of the call that it asks for. */
function isSelected({ method, headers }: IncomingMessage, header: string): boolean {
  if (method !== 'OPTIONS') return headers[header] !== undefined;
  const asked = headers['access-control-request-headers']?.toLowerCase() ?? '';
  return asked.split(',').some(name => name.trim() === header);
}
