import type { ShortLivedConfig } from '../../../sandbox/control/short-lived.ts';
import type { LabHands } from '../lab/lab.ts';
import { labShop } from './lab-shop.ts';

/** The shop whose tokens are for the API of the lab. Its customers may not read the orders. */
export const labApiShop: ShortLivedConfig = {
  ...labShop,
  clients: (labShop.clients ?? []).map(client => ({ ...client, audience: '{{issuer}}/labs/api' })),
  scopes: { ...labShop.scopes, 'orders:read': 'see the orders of all customers' },
  collections: {
    ...labShop.collections,
    orders: {
      readScope: 'orders:read',
      fields: { customer: 'string', total: 'number' },
      seed: [{ customer: 'alice', total: 549 }],
    },
  },
};

/** Reads a collection of the API of the lab, and shows the answer. */
export async function callLabApi(
  hands: LabHands,
  { by, path, token }: { readonly by: 'alice' | 'mallory'; readonly path: string; readonly token: string },
): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const { status, body } = await hands[by].call(`/labs/api/${path}`, { headers });
  hands.see('Response', status === 200 ? `200, the ${path}` : `${status} ${body.detail ?? ''}`);
}
