import type { FaultKind } from './fault.ts';
import { authorizeFaults } from './kinds/authorize.ts';
import { metadataFaults } from './kinds/metadata.ts';
import { jwtFaults, responseFaults } from './kinds/token.ts';
import { transportFaults } from './kinds/transport.ts';

/** All faults by name. */
export const catalogue: ReadonlyMap<string, FaultKind> = new Map(
  [...transportFaults, ...metadataFaults, ...authorizeFaults, ...responseFaults, ...jwtFaults].map(kind => [
    kind.name,
    kind,
  ]),
);
