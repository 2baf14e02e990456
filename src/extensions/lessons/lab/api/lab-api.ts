import { type Request, type RequestHandler, Router } from 'express';
import { checkAudience } from '../../../../server/resources/audience.ts';
import { readAccessToken } from '../../../../server/resources/bearer-token.ts';
import { createErrorHandler } from '../../../../server/resources/error-handler.ts';
import {
  createResourceServer,
  type ResourceServer,
  type ResourceServerOptions,
} from '../../../../server/resources/index.ts';
import { requireAuthority } from '../../../../server/resources/require-authority.ts';
import type { ApiCheck, LabState } from '../lab.ts';
import { type FetchKeys, type LetThrough, validateCarelessly } from './careless.ts';

export interface LabApiParts {
  readonly state: LabState;
  /** The options of an API that checks everything. */
  readonly options: ResourceServerOptions & Required<Pick<ResourceServerOptions, 'identifiers'>>;
  readonly fetchKeys: FetchKeys;
  /** Called with a token that the careless API let through. */
  readonly onLetThrough: (request: Request, token: string, content: LetThrough) => void;
}

/**
 * The API of a lab. With the defence on it is an API as in `resources/`. With the defence off, reading a collection does not
 * ask for the checks that the lab leaves out.
 */
export function createLabApi({ state, ...parts }: LabApiParts): Router {
  const careful = createResourceServer(parts.options);
  const router = Router({ caseSensitive: true });
  for (const collection of careful.collections) {
    const handle = carelessly(collection, parts);
    router.get(`/${collection.config.name}`, (request, response, next) => {
      const left = leftOut(state);
      return left.size === 0 ? next() : handle(left)(request, response, next);
    });
  }
  router.use(careful.router);
  router.use(createErrorHandler(parts.options));
  return router;
}

/** The checks that are left out now. */
function leftOut({ isDefended, weak }: LabState): ReadonlySet<ApiCheck> {
  return new Set(isDefended ? [] : weak.api);
}

function carelessly(
  { config: { name, readScope = '' }, list }: ResourceServer['collections'][number],
  { options, fetchKeys, onLetThrough }: Omit<LabApiParts, 'state'>,
): (left: ReadonlySet<ApiCheck>) => RequestHandler {
  return left => async (request, response) => {
    const { token } = readAccessToken(request, undefined);
    const content = await validateCarelessly(token, left, { ...options, fetchKeys });
    if (!left.has('aud')) checkAudience(content.claims, options, options.identifiers(name));
    // an API that does not know an access token from an ID Token does not ask for a scope: an ID Token has none
    if (!left.has('typ')) requireAuthority(content.claims, readScope);
    onLetThrough(request, token, content);
    await list(request, response);
  };
}
