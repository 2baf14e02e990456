import type { IncomingMessage } from 'node:http';
import { parameter, type RequestParameters, shorten } from '../../oauth/parameters.ts';
import { contextOf } from '../request-context.ts';
import type { LoginAgain } from './login-again.ts';

/**
 * The login once more, with the users that were searched for. A search is sent for every few letters and decides nothing,
 * so it counts as a look at a page: it is no step of the flow, and is not recorded.
 */
export function searchFor(req: IncomingMessage, form: RequestParameters): LoginAgain {
  contextOf(req).endpoint = 'user_search';
  return { status: 200, search: shorten(parameter(form, 'search') ?? '') };
}
