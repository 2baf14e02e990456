import { codeIn } from '../../bike-shop.ts';
import type { Participant } from '../../solver.ts';
import { codeOfVictim, labSolver } from '../attack-and-defend.ts';
import { logInAtShop, redeemAtShop } from '../lab-shop.ts';

const client_id = 'lab-weather';

/** Exchanges a code as the weather app, and reads the orders with a token of the response. */
async function spy(by: Participant, code: string, member = 'access_token'): Promise<void> {
  const { [member]: token = '' } = await redeemAtShop(by, code, { client_id });
  await by.call('/labs/api/orders', { headers: { Authorization: `Bearer ${token}` } });
}

async function spyOnVictim(by: Participant, member?: string): Promise<void> {
  await by.attack('victim');
  await spy(by, await codeOfVictim(by), member);
}

export const solver = labSolver({
  first: 'shop',
  goal: {
    solve: by => spyOnVictim(by),
    nearMisses: {
      "a sign-in of one's own": {
        async does(by) {
          const { url } = await logInAtShop(by, 'mallory', { client_id, scope: 'openid read' });
          await spy(by, codeIn({ url }));
        },
      },
      'no token': { does: by => spyOnVictim(by, 'none') },
      'the defence is on': {
        async does(by) {
          await by.defend(true);
          await spyOnVictim(by);
        },
      },
    },
  },
});
