import type { Store } from '../../base/store.ts';
import { limits } from './limits.ts';

/**
 * Claims the delivery of a message to an endpoint. Of any number of replicas that read the same event, exactly one gets true,
 * and it alone attempts the delivery.
 */
export function claimDelivery(store: Pick<Store, 'add'>, endpointId: string, messageId: string): Promise<boolean> {
  return store.add(['webhook', `${endpointId} ${messageId}`], true, limits.claim);
}
