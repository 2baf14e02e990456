import type { GrantHandler } from '../authorization-server.ts';
import * as all from './all.ts';

/** Every grant of `all.ts`, by its `grant_type`. */
export const grants: ReadonlyMap<string, GrantHandler> = new Map(
  Object.values<GrantHandler>(all).map(grant => [grant.grantType, grant]),
);
