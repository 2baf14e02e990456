import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { IssuerConfig } from '../config/config.ts';
import { type Collections, createCollections } from '../control/collections.ts';
import { protectedResources } from '../front/sample-backend/protected-resources.ts';

/** The collections of a running issuer. Its metadata (RFC 9728) and its sample backend follow them. */
export function runningCollections(
  config: IssuerConfig,
  server: AuthorizationServer,
  reconfigure: () => void,
): Collections {
  const collections = createCollections(config.collections, () => {
    const resources = protectedResources(
      { ...config, collections: collections.all },
      server.issuer,
      server.paths.userinfo,
    );
    // `server` is shared by reference; mutate it in place so that every holder sees the new resources
    Object.assign(server, { protectedResources: resources });
    reconfigure();
  });
  return collections;
}
