import { codeIn } from '../../bike-shop.ts';
import { labSolver, tokenOfVictim } from '../attack-and-defend.ts';
import { logInAtShop, readProducts, redeemAtShop } from '../lab-shop.ts';

export const solver = labSolver({
  first: 'login',
  goal: {
    async solve(by) {
      await by.attack('victim');
      await readProducts(by, await tokenOfVictim(by, 'access'));
    },
    nearMisses: {
      'the ID token of Alice': {
        async does(by) {
          await by.attack('victim');
          await readProducts(by, await tokenOfVictim(by, 'id'));
        },
      },
      "a token of one's own, twice": {
        async does(by) {
          const { url } = await logInAtShop(by, 'mallory');
          const { access_token = '' } = await redeemAtShop(by, codeIn({ url }));
          await readProducts(by, access_token);
          await readProducts(by, access_token);
        },
      },
      'the defence is on': {
        async does(by) {
          await by.defend(true);
          await by.attack('victim');
          await readProducts(by, await tokenOfVictim(by, 'access'));
        },
      },
    },
  },
});
