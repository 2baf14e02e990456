import { type Request, type RequestHandler, Router } from 'express';
import {
  type Authentication,
  type AuthenticationOptions,
  type AuthenticationRequirement,
  createAuthentication,
  requireAuthentication,
} from './authenticate.ts';
import { describe } from './challenge.ts';
import { type Collection, type CollectionConfig, createCollection, type Operation } from './collection.ts';
import { anyOf, asSent } from './compared.ts';
import { createErrorHandler, type ErrorOptions } from './error-handler.ts';
import { pathOf } from './path.ts';
import { Problem, withChallenge, withExtras } from './problem.ts';
import { requireAuthority } from './require-authority.ts';
import type { RowsFactory } from './rows.ts';
import type { Claims } from './token-claims.ts';

export type { ResourceReason } from '../../record/resource-reason.ts';
export type { AccessTokenOptions, Inactive } from './access-token.ts';
export type { CollectionConfig } from './collection.ts';
export type { DpopOptions } from './dpop.ts';
export type { Refusal } from './problem.ts';
export type { FieldConfig } from './resource-schema.ts';
export type { RowsFactory } from './rows.ts';
export type { KeyResolver } from './signature.ts';
export type { Claims } from './token-claims.ts';

export interface ResourceServerOptions extends AuthenticationOptions, ErrorOptions {
  /** Values of `aud` accepted for a collection (RFC 8707 §2), in addition to `audience`. */
  readonly identifiers?: (collection: string) => readonly string[];
  readonly collections: readonly CollectionConfig[];
  /** Rows that are not in this process; absent: in memory. */
  readonly rows?: RowsFactory | undefined;
  /** Called with the claims of each accepted token, before the operation runs. */
  readonly onAccepted?: (request: Request, claims: Claims) => void;
}

export interface ResourceServer {
  /** Mount it at the path of the API: `app.use('/api', router)`. */
  readonly router: Router;
  /** Returns all collections to their seed rows. */
  reset(): Promise<void>;
  /** In the order of the configuration. */
  readonly collections: readonly Collection[];
}

/**
 * A JSON REST API protected by JWT access tokens (RFC 6750, RFC 9068). Errors of a request are reported in this order:
 * the path names no collection (404), the method is not offered there (405), the token is missing or bad (401, 400), it
 * lacks the authority (403), the login behind it was too weak or is too old (401), and last the errors of id, query and
 * body (400, 404, 413, 415). All errors are `application/problem+json`. If this server replaces the server `before`, a
 * collection keeps its rows unless its fields or its seed have changed.
 */
export function createResourceServer(options: ResourceServerOptions, before?: ResourceServer): ResourceServer {
  const authenticate = createAuthentication(options);
  const kept = new Map(before?.collections.map(collection => [collection.config.name, collection]));
  const collections = options.collections.map(config => createCollection(config, kept.get(config.name), options.rows));
  const router = Router({ caseSensitive: true });
  for (const collection of collections) addRoutes(router, collection, authenticate, options);
  router.use(unknownPath(collections.map(({ config }) => config.name)));
  router.use(createErrorHandler(options));
  return {
    router,
    collections,
    async reset() {
      for (const { rows } of collections) await rows.reset();
    },
  };
}

/** Characters with no special meaning in a route or a URL (RFC 3986 §2.3). */
const collectionName = /^[A-Za-z0-9._~-]+$/;

function addRoutes(
  router: Router,
  { config, ...operations }: Collection,
  authenticate: Authentication,
  options: ResourceServerOptions,
): void {
  const { name, readScope, writeScope } = config;
  if (!collectionName.test(name)) throw new Error(`collection name '${name}' may have only letters, digits and ._~-`);
  const guarded = createGuard(authenticate, options, options.identifiers?.(name) ?? []);
  const many = router.route(`/${name}`);
  const one = router.route(`/${name}/:id`);
  if (readScope !== undefined) {
    const reading = guarded(readScope, { acrValues: config.readAcrValues, maxAge: config.readMaxAge });
    many.get(reading(operations.list));
    one.get(reading(operations.read));
  }
  if (writeScope !== undefined) {
    const writing = guarded(writeScope, { acrValues: config.writeAcrValues, maxAge: config.writeMaxAge });
    many.post(writing(operations.create));
    one.put(writing(operations.replace));
    one.delete(writing(operations.delete));
  }
  const reads = readScope === undefined ? [] : ['GET', 'HEAD'];
  many.all(otherMethods([...reads, ...(writeScope === undefined ? [] : ['POST'])]));
  one.all(otherMethods([...reads, ...(writeScope === undefined ? [] : ['PUT', 'DELETE'])]));
}

/** Authentication, then authority, then whether the login was strong and fresh enough, then the operation. */
function createGuard(
  authenticate: Authentication,
  { clock, onAccepted }: ResourceServerOptions,
  identifiers: readonly string[],
) {
  return (scope: string, login: AuthenticationRequirement) =>
    (operation: Operation): RequestHandler =>
    async (request, response) => {
      const claims = await authenticate(request, identifiers).catch(error => Promise.reject(withScope(error, scope)));
      try {
        requireAuthority(claims, scope);
        requireAuthentication(claims, login, clock());
        onAccepted?.(request, claims);
        await operation(request, response);
      } catch (error) {
        throw withExtras(error, { claims }); // the log names the client and the user of the token
      }
    };
}

/** A challenge for a missing token names the scope it needs (RFC 6750 §3). */
function withScope(error: unknown, scope: string): unknown {
  return error instanceof Problem && error.status === 401 ? withChallenge(error, { scope }) : error;
}

/** Answers OPTIONS, and any other method with 405 (RFC 9110 §9.3.7, §15.5.6). */
function otherMethods(offered: readonly string[]): RequestHandler {
  const allow = [...offered, 'OPTIONS'].join(', ');
  return (request, response) => {
    if (request.method === 'OPTIONS') response.writeHead(204, { Allow: allow }).end();
    else
      throw new Problem(405, 'method_not_allowed', `this path does not accept ${request.method}, only ${allow}`, {
        headers: { Allow: allow },
        sent: request.method,
        expected: allow,
      });
  };
}

function unknownPath(names: readonly string[]): RequestHandler {
  return ({ baseUrl, url }) => {
    const path = pathOf(url);
    const detail = `there is nothing at ${describe(baseUrl + path)}; the collections are ${names.join(', ')}`;
    const expected = anyOf(names.map(name => `${baseUrl}/${name}`));
    throw new Problem(404, 'path_unknown', detail, { sent: asSent('path', baseUrl + path), expected });
  };
}
