import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { Route } from '../../server/http/route.ts';

/** Absolute links to the routes without path parameters. Of an endpoint with several paths the one in the metadata counts. */
export function linksTo(
  routes: readonly Route[],
  { issuer, paths }: AuthorizationServer,
): Readonly<Record<string, string>> {
  const main = new Set(Object.values(paths).map(path => new URL(issuer).pathname.replace(/\/$/, '') + path));
  const complete = routes
    .filter(({ path }) => !path.includes(':'))
    .toSorted((a, b) => Number(main.has(a.path)) - Number(main.has(b.path)));
  return Object.fromEntries(complete.map(({ name, path }) => [name, new URL(issuer).origin + path]));
}
