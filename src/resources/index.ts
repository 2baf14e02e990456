import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { type Authentication, type AuthenticationOptions, createAuthentication } from './authenticate.ts';
import { describe } from './challenge.ts';
import { type Collection, type CollectionConfig, createCollection, type Operation } from './collection.ts';
import { Problem, sendProblem } from './problem.ts';
import { type AuthenticationRequirement, requireAuthentication } from './require-authentication.ts';
import { requireAuthority } from './require-authority.ts';

export type { AccessTokenOptions, KeyResolver } from './access-token.ts';
export type { CollectionConfig } from './collection.ts';
export type { DpopOptions } from './dpop.ts';
export type { FieldConfig } from './resource-schema.ts';

export interface ResourceServerOptions extends AuthenticationOptions {
  /** URL of the protected resource metadata of a collection (RFC 9728 §3); every challenge names it. */
  readonly resourceMetadata?: (collection: string) => string;
  /** What a token for a collection may have in `aud` (RFC 8707 §2), besides `audience`. */
  readonly identifiers?: (collection: string) => readonly string[];
  readonly collections: readonly CollectionConfig[];
  /** Told of a failure of this server itself, which the client only sees as a 500. */
  readonly onError?: (error: unknown) => void;
}

export interface ResourceServer {
  /** Mount it where the API is to be: `app.use('/api', router)`. */
  readonly router: Router;
  /** Returns all collections to their seed rows. */
  reset(): void;
}

/**
 * A JSON REST API protected by JWT access tokens (RFC 6750, RFC 9068). What is wrong with a request is told in this order:
 * the path names no collection (404), the method is not offered there (405), the token is missing or bad (401, 400), it lacks
 * the authority (403), the login behind it was too weak or is too old (401), and only then what concerns the resource: id, query and body (400, 404, 413, 415).
 * All errors are `application/problem+json`.
 */
export function createResourceServer(options: ResourceServerOptions): ResourceServer {
  const authenticate = createAuthentication(options);
  const collections = options.collections.map(createCollection);
  const router = Router({ caseSensitive: true });
  for (const collection of collections) addRoutes(router, collection, authenticate, options);
  router.use(unknownPath(collections.map(({ name }) => name)));
  router.use(errorHandler(options));
  return {
    router,
    reset: () => {
      for (const collection of collections) collection.reset();
    },
  };
}

/** Characters that mean nothing to the router or to a URL (RFC 3986 §2.3). */
const collectionName = /^[A-Za-z0-9._~-]+$/;

function addRoutes(
  router: Router,
  collection: Collection,
  authenticate: Authentication,
  { clock, identifiers }: ResourceServerOptions,
): void {
  const { name, readScope, writeScope } = collection;
  if (!collectionName.test(name)) throw new Error(`collection name '${name}' is not of letters, digits and ._~-`);
  const guarded = (scope: string, login: AuthenticationRequirement, operation: Operation): RequestHandler =>
    guard(authenticate, operation, { scope, login, clock, identifiers: identifiers?.(name) ?? [] });
  const { readLogin, writeLogin } = collection;
  const many = router.route(`/${name}`);
  const one = router.route(`/${name}/:id`);
  if (readScope !== undefined) {
    many.get(guarded(readScope, readLogin, collection.list));
    one.get(guarded(readScope, readLogin, collection.read));
  }
  if (writeScope !== undefined) {
    many.post(guarded(writeScope, writeLogin, collection.create));
    one.put(guarded(writeScope, writeLogin, collection.replace));
    one.delete(guarded(writeScope, writeLogin, collection.delete));
  }
  const reading = readScope === undefined ? [] : ['GET', 'HEAD'];
  many.all(otherMethods([...reading, ...(writeScope === undefined ? [] : ['POST'])]));
  one.all(otherMethods([...reading, ...(writeScope === undefined ? [] : ['PUT', 'DELETE'])]));
}

interface Demand {
  readonly scope: string;
  readonly login: AuthenticationRequirement;
  readonly clock: () => number;
  readonly identifiers: readonly string[];
}

/** Authentication, then authority, then whether the login was strong and fresh enough, then the operation. */
function guard(authenticate: Authentication, operation: Operation, demand: Demand): RequestHandler {
  const { scope, login, clock, identifiers } = demand;
  return async (request, response) => {
    const claims = await authenticate(request, identifiers).catch(error => Promise.reject(withScope(error, scope)));
    requireAuthority(claims, scope);
    requireAuthentication(claims, login, clock());
    await operation(request, response);
  };
}

/** Whoever has to get a token is told for which scope (RFC 6750 §3). */
function withScope(error: unknown, scope: string): unknown {
  if (!(error instanceof Problem) || error.status !== 401 || error.extras.challenge === undefined) return error;
  return new Problem(401, error.detail, { ...error.extras, challenge: { ...error.extras.challenge, scope } });
}

/** OPTIONS is answered, the rest is 405 (RFC 9110 §9.3.7, §15.5.6). */
function otherMethods(offered: readonly string[]): RequestHandler {
  const allow = [...offered, 'OPTIONS'].join(', ');
  return (request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(204, { Allow: allow }).end();
    else
      throw new Problem(405, `${request.method} is not offered here; offered are ${allow}`, {
        headers: { Allow: allow },
      });
  };
}

function unknownPath(names: readonly string[]): RequestHandler {
  return request => {
    throw new Problem(
      404,
      `nothing is at ${describe(request.baseUrl + request.path)}; the collections are ${names.join(', ')}`,
    );
  };
}

/** The one place where errors become responses. */
function errorHandler({ resourceMetadata, onError }: ResourceServerOptions): ErrorRequestHandler {
  return (error, request, response, next) => {
    const problem = toProblem(error);
    if (problem.status === 500) onError?.(error);
    if (response.headersSent) next(error);
    else sendProblem(response, problem, resourceMetadata?.(request.path.split('/', 2)[1] ?? ''));
  };
}

/** Express throws a URIError for a path that cannot be percent-decoded. */
function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof URIError) return new Problem(400, 'the path is not well-formed percent-encoding');
  return new Problem(500, 'the resource server failed; its log says why');
}
