import type { FollowedIssuers } from '../../../sandbox/replica.ts';
import type { SharedPart } from '../shared-part.ts';
import { mapPart } from './map-part.ts';

/** The issuers made at run time: each replica makes them from the same order. */
export function issuersPart({ orders, follow, forget }: FollowedIssuers): SharedPart {
  return mapPart({ name: 'issuers', map: orders, put: (_id, order) => follow(order), remove: forget });
}
