import type { Feature } from '../../protocol/feature.ts';
import type { BodyKind, EndpointFunction } from './adapter.ts';
import type { CorsReach } from './cors.ts';
import type { ErrorForm } from './error-replies.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A path of the sandbox. The router, the dashboard and docs/protocol.md all use it, so they cannot disagree. */
export interface Route {
  /** Name of the route in events. */
  readonly name: string;
  readonly methods: readonly Method[];
  readonly path: string;
  readonly about: string;
  readonly source: string;
}

/** A route whose work is an endpoint of the authorization server. */
export interface EndpointRoute extends Route {
  readonly endpoint: EndpointFunction;
  readonly form: ErrorForm;
  /** Origins whose pages may call; absent: none. */
  readonly cors?: CorsReach;
  /** CORS with credentials, because some SDKs send them to the token endpoint. It ignores cookies. */
  readonly credentials?: true;
  /** Counted by `RATE_LIMIT`, or like logins by `LOGIN_RATE_LIMIT`. */
  readonly limited?: true | 'login';
  /** Accepts a form only from our own page. */
  readonly ownOrigin?: true;
  /** Refuses pages that `cors` does not reach. Without it their request is answered, and the browser hides the answer. */
  readonly knownPages?: true;
  /** A POST with this parameter is for the endpoint even without a session, as a back end sends it. */
  readonly takesPost?: string;
  /** The answer is the same until a key changes. */
  readonly constant?: true;
  /** While this feature is off, the path answers with 501. */
  readonly feature?: Feature;
  /** Type of the body; default: a form. */
  readonly body?: BodyKind;
}

/** Routes as pages and explanations list them. */
export function listed(routes: readonly Route[]): { name: string; method: string; path: string }[] {
  return routes.map(({ name, methods, path }) => ({ name, method: methods.join(', '), path }));
}

/** `what` is the name of the route and its methods: `token POST`. */
export function routeAt(what: string, path: string, about: string, source = ''): Route {
  const [name = '', ...methods] = what.split(' ');
  return { name, methods: methods as Method[], path, about, source };
}
