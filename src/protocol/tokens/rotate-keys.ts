import type { Emit } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';

/** Seconds a replaced key is published at least: authorization responses and logout tokens live no longer. */
const shortestOverlap = 600;

/**
 * Makes a new key for each algorithm in use (OIDC Core §10.1.1); a key that has signed nothing stays. The old one stays published until its last token has expired, or,
 * with `unpublish`, for no longer, as after a leak: caches of the JWK Set break.
 */
export async function rotateKeys(
  server: AuthorizationServer,
  emit: Emit,
  { unpublish = false }: { readonly unpublish?: boolean } = {},
): Promise<void> {
  const publishedUntil = server.clock() + (unpublish ? 0 : longestLifetime(server));
  await Promise.all(
    server.keys.algs.map(async alg => {
      const { replaced, key } = await server.keys.rotate(alg, publishedUntil);
      emit({ type: 'key.rotated', alg, kid: key.kid, replaced: replaced.kid, publishedUntil });
    }),
  );
  if (unpublish) server.keys.unpublish();
}

/** A client with a metadata document is not in the directory; it has the default lifetimes. */
function longestLifetime({ clients, lifetimes }: AuthorizationServer): number {
  const ofClients = [...clients.values()].flatMap(({ access_token_lifetime, id_token_lifetime = 0 }) => [
    access_token_lifetime,
    id_token_lifetime,
  ]);
  return Math.max(shortestOverlap, lifetimes.accessToken, lifetimes.idToken, ...ofClients);
}
