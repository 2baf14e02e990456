import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type CorsOptions, corsBefore } from './cors.ts';
import { faultyApi } from './faulty-api.ts';
import type { ManagedCalls } from './managed-calls.ts';
import { runThrough } from './middleware.ts';
import { named } from './mount.ts';
import { tapResponse } from './recording.ts';
import type { Handler } from './request-context.ts';
import type { UnservedCalls } from './unknown-path.ts';

interface ApiFirstOptions {
  /** Path of the issuer. */
  readonly base: string;
  /** The router of the sample backend. It calls `failed` with an error that it could not answer. */
  readonly api: (req: IncomingMessage, res: ServerResponse, failed: (error: unknown) => void) => void;
  readonly cors: CorsOptions;
  /** Paths that a preset has for its own API; they come before those of the sample backend. */
  readonly management: readonly ManagedCalls[];
  readonly unserved?: UnservedCalls | undefined;
}

/**
 * Handles calls of the sample backend without Express, because they are the most frequent calls: Express would replace
 * the prototypes of each request and response, and try every route above.
 */
export function apiFirst(
  app: RequestListener,
  { base, api, cors, management, unserved }: ApiFirstOptions,
  fail: (error: unknown) => Handler,
): RequestListener {
  const at = `${base}/api`;
  const steps = [named('api'), tapResponse, ...corsBefore('clients', cors), faultyApi(cors.faults)];
  const managed = management.flatMap(({ path, header }) => (header === undefined ? [path] : []));
  const unservedBelow = (unserved?.unserved ?? []).map(({ path }) => base + path).filter(path => isBelow(at, path));
  const ofProvider = [...managed, ...unservedBelow];
  return (req, res) => {
    if (!isBelow(at, req.url) || ofProvider.some(path => isBelow(path, req.url))) return app(req, res);
    const failed = (error: unknown) => fail(error)(req, res);
    runThrough(steps, req, res, error => (error === undefined ? api(mounted(req, at), res, failed) : failed(error)));
  };
}

function isBelow(at: string, url = ''): boolean {
  return url.startsWith(at) && [undefined, '/', '?'].includes(url[at.length]);
}

/** Removes the mount path from the URL, as Express does for a mounted router. */
function mounted(req: IncomingMessage, at: string): IncomingMessage {
  const { url = '' } = req;
  const rest = url.slice(at.length);
  return Object.assign(req, { originalUrl: url, baseUrl: at, url: rest.startsWith('/') ? rest : `/${rest}` });
}
